SELECT "a_found.series" AS "c_series", "a_found.days" AS "c_days", toInt64(count()) AS "c_actors"
FROM (SELECT "t_active"."c_actor_id" AS "c_actor_id", toInt64(count() FILTER (WHERE "t_active"."c_of_0")) AS "c_days_0", toInt64(count() FILTER (WHERE "t_active"."c_of_1")) AS "c_days_1"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket", maxOrNull(coalesce(toBool((("t_e"."event" = {p4:String}))), {p5:Bool})) AS "c_of_0", maxOrNull(coalesce(toBool((("t_e"."event" = {p6:String}) AND (coalesce(toBool((multiIf("t_e"."properties"[{p7:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p7:String}], '"'), substring("t_e"."properties"[{p7:String}], 2), "t_e"."properties"[{p7:String}]) = {p8:String})), {p5:Bool})))), {p5:Bool})) AS "c_of_1"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p2:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p2:Int32} AND (("t_e"."event" IN ({p4:String}, {p6:String})) AND ((("t_e"."event" = {p4:String})) OR (("t_e"."event" = {p6:String}) AND (coalesce(toBool((multiIf("t_e"."properties"[{p7:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p7:String}], '"'), substring("t_e"."properties"[{p7:String}], 2), "t_e"."properties"[{p7:String}]) = {p8:String})), {p5:Bool})))) AND (("t_e"."timestamp" >= toDateTime64({p3:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p9:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
ARRAY JOIN arrayMap(x -> toNullable(x), [{p1:Int32}, {p2:Int32}]) AS "a_found.series", arrayMap(x -> toNullable(x), ["t_per_actor"."c_days_0", "t_per_actor"."c_days_1"]) AS "a_found.days"
WHERE ("a_found.days" > {p1:Int32})
GROUP BY "a_found.series", "a_found.days"
ORDER BY "a_found.series" ASC NULLS LAST, "a_found.days" ASC NULLS LAST
-- [0,1,"2026-02-01 00:00:00.000000","$pageview",false,"bought","plan","paid","2026-02-09 00:00:00.000000"]

SELECT {p1:Int32} AS "c_series", "t_per_actor"."c_days_0" AS "c_days", toInt64(count()) AS "c_actors"
FROM (SELECT "t_active"."c_actor_id" AS "c_actor_id", toInt64(count()) AS "c_days_0"
FROM (SELECT multiIf("t_e"."properties"[{p2:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p2:String}], '"'), substring("t_e"."properties"[{p2:String}], 2), "t_e"."properties"[{p2:String}]) AS "c_actor_id", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket"
FROM "events" AS "t_e" FINAL
WHERE "t_e"."project_id" = {p4:Int32} AND ((("t_e"."event" = {p5:String})) AND (("t_e"."timestamp" >= toDateTime64({p3:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p6:String}, 6, 'UTC'))) AND (NOT isNull(multiIf("t_e"."properties"[{p2:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p2:String}], '"'), substring("t_e"."properties"[{p2:String}], 2), "t_e"."properties"[{p2:String}]))) AND (multiIf("t_e"."properties"[{p2:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p2:String}], '"'), substring("t_e"."properties"[{p2:String}], 2), "t_e"."properties"[{p2:String}]) != {p7:String}) AND true)
GROUP BY multiIf("t_e"."properties"[{p2:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p2:String}], '"'), substring("t_e"."properties"[{p2:String}], 2), "t_e"."properties"[{p2:String}]), dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
GROUP BY "t_per_actor"."c_days_0"
ORDER BY "t_per_actor"."c_days_0" ASC NULLS LAST
-- [0,"$group_0","2026-02-01 00:00:00.000000",1,"bought","2026-02-09 00:00:00.000000",""]
