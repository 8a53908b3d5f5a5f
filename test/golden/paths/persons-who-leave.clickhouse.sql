SELECT DISTINCT "t_x"."c_actor_id" AS "c_actor_id"
FROM (SELECT "t_s"."c_actor_id" AS "c_actor_id", "t_s"."c_path" AS "c_path", "t_s"."c_item" AS "c_item", "t_s"."c_at" AS "c_at", "t_s"."c_position" AS "c_position", "t_s"."c_previous_item" AS "c_previous_item", "t_s"."c_previous_at" AS "c_previous_at", lead(toNullable("t_s"."c_position")) OVER (PARTITION BY "t_s"."c_actor_id", "t_s"."c_path"
ORDER BY "t_s"."c_position" ASC NULLS LAST) AS "c_next_position"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", "t_t"."c_path" AS "c_path", "t_t"."c_item" AS "c_item", "t_t"."c_at" AS "c_at", "t_t"."c_position" AS "c_position", "t_t"."c_previous_item" AS "c_previous_item", "t_t"."c_previous_at" AS "c_previous_at"
FROM (SELECT "t_s"."c_actor_id" AS "c_actor_id", "t_s"."c_path" AS "c_path", "t_s"."c_item" AS "c_item", "t_s"."c_at" AS "c_at", toInt64(row_number() OVER (PARTITION BY "t_s"."c_actor_id", "t_s"."c_path"
ORDER BY "t_s"."c_place" ASC NULLS LAST)) AS "c_position", lag(toNullable("t_s"."c_item")) OVER (PARTITION BY "t_s"."c_actor_id", "t_s"."c_path"
ORDER BY "t_s"."c_place" ASC NULLS LAST) AS "c_previous_item", lag(toNullable("t_s"."c_at")) OVER (PARTITION BY "t_s"."c_actor_id", "t_s"."c_path"
ORDER BY "t_s"."c_place" ASC NULLS LAST) AS "c_previous_at"
FROM (SELECT "t_n"."c_actor_id" AS "c_actor_id", "t_n"."c_at" AS "c_at", "t_n"."c_place" AS "c_place", "t_n"."c_item" AS "c_item", coalesce(sumOrNull(multiIf((isNull("t_n"."c_next_at") OR (((toUnixTimestamp64Micro("t_n"."c_next_at") - toUnixTimestamp64Micro("t_n"."c_at")) / 1000000) >= {p3:Int32})), {p1:Int32}, {p2:Int32})) OVER (PARTITION BY "t_n"."c_actor_id"
ORDER BY "t_n"."c_place" ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), {p2:Int32}) AS "c_path"
FROM (SELECT "t_i"."c_actor_id" AS "c_actor_id", "t_i"."c_at" AS "c_at", "t_i"."c_item" AS "c_item", toInt64(row_number() OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST)) AS "c_place", lead(toNullable("t_i"."c_at")) OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST) AS "c_next_at", lead(toNullable("t_i"."c_item")) OVER (PARTITION BY "t_i"."c_actor_id"
ORDER BY "t_i"."c_at" ASC NULLS LAST, "t_i"."c_uuid" ASC NULLS LAST) AS "c_next_item"
FROM (SELECT "t_r"."c_actor_id" AS "c_actor_id", "t_r"."c_at" AS "c_at", "t_r"."c_uuid" AS "c_uuid", coalesce(multiIf((endsWith("t_r"."c_shown", {p6:String}) AND ("t_r"."c_shown" != {p6:String})), replaceRegexpAll("t_r"."c_shown", concat('(?-s)', {p4:String}), {p5:String}), "t_r"."c_shown"), {p5:String}) AS "c_item"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at", toString("t_e"."uuid") AS "c_uuid", multiIf("t_e"."properties"[{p7:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p7:String}], '"'), substring("t_e"."properties"[{p7:String}], 2), "t_e"."properties"[{p7:String}]) AS "c_shown"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND (("t_e"."event" = {p8:String}) AND ((("t_e"."timestamp" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p10:String}, 6, 'UTC'))) AND true))) AS "t_r") AS "t_i") AS "t_n"
WHERE ((isNull("t_n"."c_next_at") OR (((toUnixTimestamp64Micro("t_n"."c_next_at") - toUnixTimestamp64Micro("t_n"."c_at")) / 1000000) >= {p3:Int32})) OR ("t_n"."c_next_item" != "t_n"."c_item"))) AS "t_s") AS "t_t"
WHERE ("t_t"."c_position" <= {p11:Int32})) AS "t_s") AS "t_x"
WHERE ((("t_x"."c_position" = {p12:Int32}) AND ("t_x"."c_item" = {p13:String})) AND isNull("t_x"."c_next_position"))
-- [1,0,1800,"/$","","/","$current_url","$pageview","2026-03-01 05:00:00.000000","2026-03-08 05:00:00.000000",5,2,"/pricing"]
