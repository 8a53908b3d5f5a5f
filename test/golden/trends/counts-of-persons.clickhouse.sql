SELECT {p1:Int32} AS "c_bucket", avgOrNull("t_c"."c_events") AS "c_m0"
FROM (SELECT {p1:Int32} AS "c_bucket", coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor", toInt64(count()) AS "c_events"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p2:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p2:Int32} AND ((("t_e"."event" = {p3:String})) AND (("t_e"."timestamp" >= toDateTime64({p4:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p5:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id")) AS "t_c"
-- [0,1,"view","2026-03-01 05:00:00.000000","2026-03-21 04:00:00.000000"]
