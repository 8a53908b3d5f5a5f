SELECT concat(toString(("t_e"."c_position" - {p1:Int32})), {p2:String}, "t_e"."c_previous_item") AS "c_source", concat(toString("t_e"."c_position"), {p2:String}, "t_e"."c_item") AS "c_target", "t_e"."c_value" AS "c_value", "t_e"."c_microseconds" AS "c_microseconds"
FROM (SELECT "t_t"."c_position" AS "c_position", "t_t"."c_previous_item" AS "c_previous_item", "t_t"."c_item" AS "c_item", toInt64(count()) AS "c_value", sumOrNull(arrayMap(x -> arrayMap(m -> arrayMap(v -> if(isFinite(v), (trunc(v) + if(abs(v - trunc(v)) >= 0.5, sign(v), 0)) / m, x), [x * m])[1], [pow(10, toFloat64({p4:Int32}))])[1], [toFloat64((((toUnixTimestamp64Micro("t_t"."c_at") - toUnixTimestamp64Micro("t_t"."c_previous_at")) / 1000000) * {p3:Int32}))])[1]) AS "c_microseconds"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", "t_t"."c_path" AS "c_path", "t_t"."c_position" AS "c_position", "t_t"."c_item" AS "c_item", "t_t"."c_at" AS "c_at", lag(toNullable("t_t"."c_item")) OVER (PARTITION BY "t_t"."c_actor_id", "t_t"."c_path"
ORDER BY "t_t"."c_position" ASC NULLS LAST) AS "c_previous_item", lag(toNullable("t_t"."c_at")) OVER (PARTITION BY "t_t"."c_actor_id", "t_t"."c_path"
ORDER BY "t_t"."c_position" ASC NULLS LAST) AS "c_previous_at"
FROM (SELECT "t_d"."c_actor_id" AS "c_actor_id", "t_d"."c_path" AS "c_path", multiIf((("t_d"."c_length" > {p5:Int32}) AND ("t_d"."c_position" > ("t_d"."c_length" - {p6:Int32}))), (("t_d"."c_position" - "t_d"."c_length") + {p5:Int32}), "t_d"."c_position") AS "c_position", multiIf((("t_d"."c_length" > {p5:Int32}) AND ("t_d"."c_position" = {p8:Int32})), {p7:String}, "t_d"."c_item") AS "c_item", "t_d"."c_at" AS "c_at"
FROM (SELECT "t_b"."c_actor_id" AS "c_actor_id", "t_b"."c_path" AS "c_path", "t_b"."c_item" AS "c_item", "t_b"."c_at" AS "c_at", "t_b"."c_position" AS "c_position", "t_b"."c_point" AS "c_length"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_path" AS "c_path", "t_a"."c_item" AS "c_item", "t_a"."c_at" AS "c_at", "t_a"."c_position" AS "c_position", minOrNull("t_a"."c_position") FILTER (WHERE ("t_a"."c_item" = {p9:String})) OVER (PARTITION BY "t_a"."c_actor_id", "t_a"."c_path") AS "c_point"
FROM (SELECT "t_b"."c_actor_id" AS "c_actor_id", "t_b"."c_path" AS "c_path", "t_b"."c_item" AS "c_item", "t_b"."c_at" AS "c_at", (("t_b"."c_position" - "t_b"."c_point") + {p1:Int32}) AS "c_position"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_path" AS "c_path", "t_a"."c_item" AS "c_item", "t_a"."c_at" AS "c_at", "t_a"."c_position" AS "c_position", minOrNull("t_a"."c_position") FILTER (WHERE ("t_a"."c_item" = {p10:String})) OVER (PARTITION BY "t_a"."c_actor_id", "t_a"."c_path") AS "c_point"
FROM (SELECT "t_s"."c_actor_id" AS "c_actor_id", "t_s"."c_path" AS "c_path", "t_s"."c_item" AS "c_item", "t_s"."c_at" AS "c_at", toInt64(row_number() OVER (PARTITION BY "t_s"."c_actor_id", "t_s"."c_path"
ORDER BY "t_s"."c_place" ASC NULLS LAST)) AS "c_position"
FROM (SELECT "t_n"."c_actor_id" AS "c_actor_id", "t_n"."c_at" AS "c_at", "t_n"."c_place" AS "c_place", "t_n"."c_item" AS "c_item", coalesce(sumOrNull(multiIf((isNull("t_n"."c_next_at") OR (((toUnixTimestamp64Micro("t_n"."c_next_at") - toUnixTimestamp64Micro("t_n"."c_at")) / 1000000) >= {p11:Int32})), {p1:Int32}, {p4:Int32})) OVER (PARTITION BY "t_n"."c_actor_id"
ORDER BY "t_n"."c_place" ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), {p4:Int32}) AS "c_path"
FROM (SELECT "t_i"."c_actor_id" AS "c_actor_id", "t_i"."c_at" AS "c_at", "t_i"."c_item" AS "c_item", toInt64(row_number() OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST)) AS "c_place", lead(toNullable("t_i"."c_at")) OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST) AS "c_next_at", lead(toNullable("t_i"."c_item")) OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST) AS "c_next_item"
FROM (SELECT "t_r"."c_actor_id" AS "c_actor_id", "t_r"."c_at" AS "c_at", "t_r"."c_uuid" AS "c_uuid", coalesce(multiIf((endsWith("t_r"."c_shown", {p10:String}) AND ("t_r"."c_shown" != {p10:String})), replaceRegexpAll("t_r"."c_shown", concat('(?-s)', {p12:String}), {p13:String}), "t_r"."c_shown"), {p13:String}) AS "c_item"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at", toString("t_e"."uuid") AS "c_uuid", multiIf("t_e"."properties"[{p14:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p14:String}], '"'), substring("t_e"."properties"[{p14:String}], 2), "t_e"."properties"[{p14:String}]) AS "c_shown"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND (("t_e"."event" = {p15:String}) AND ((("t_e"."timestamp" >= toDateTime64({p16:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p17:String}, 6, 'UTC'))) AND true))) AS "t_r") AS "t_i") AS "t_n"
WHERE ((isNull("t_n"."c_next_at") OR (((toUnixTimestamp64Micro("t_n"."c_next_at") - toUnixTimestamp64Micro("t_n"."c_at")) / 1000000) >= {p11:Int32})) OR ("t_n"."c_next_item" != "t_n"."c_item"))) AS "t_s") AS "t_a") AS "t_b"
WHERE ("t_b"."c_position" >= "t_b"."c_point")) AS "t_a") AS "t_b"
WHERE ((NOT isNull("t_b"."c_point")) AND ("t_b"."c_position" <= "t_b"."c_point"))) AS "t_d"
WHERE (("t_d"."c_length" <= {p5:Int32}) OR ("t_d"."c_position" <= {p8:Int32}) OR ("t_d"."c_position" > ("t_d"."c_length" - {p6:Int32})))) AS "t_t") AS "t_t"
WHERE (NOT isNull("t_t"."c_previous_item"))
GROUP BY "t_t"."c_position", "t_t"."c_previous_item", "t_t"."c_item"
HAVING ((toInt64(count()) >= {p6:Int32}))) AS "t_e"
ORDER BY "t_e"."c_value" DESC NULLS LAST, concat(toString(("t_e"."c_position" - {p1:Int32})), {p2:String}, "t_e"."c_previous_item") ASC NULLS LAST, concat(toString("t_e"."c_position"), {p2:String}, "t_e"."c_item") ASC NULLS LAST LIMIT {p18:UInt64}
-- [1,"_",1000000,0,5,2,"...",3,"/pricing","/",1800,"/$","","$current_url","$pageview","2026-03-01 05:00:00.000000","2026-03-08 05:00:00.000000",100000]
