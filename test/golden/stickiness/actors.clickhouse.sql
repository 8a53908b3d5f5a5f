SELECT "t_per_actor"."c_actor_id" AS "c_actor_id"
FROM (SELECT "t_active"."c_actor_id" AS "c_actor_id", toInt64(count()) AS "c_days_0"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", dateDiff('day', toDateTime64({p1:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p2:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p2:Int32} AND ((("t_e"."event" = {p3:String})) AND (("t_e"."timestamp" >= toDateTime64({p1:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), dateDiff('day', toDateTime64({p1:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
WHERE ("t_per_actor"."c_days_0" = {p5:Int32})
-- ["2026-02-01 00:00:00.000000",1,"$pageview","2026-02-09 00:00:00.000000",3]
