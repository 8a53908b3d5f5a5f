SELECT "t_activity"."c_actor_id" AS "c_actor_id"
FROM (SELECT "t_active"."c_actor_id" AS "c_actor_id", "t_active"."c_bucket" AS "c_bucket", lag(toNullable("t_active"."c_bucket"), {p1:Int32}, {p2:Int32}) OVER (PARTITION BY "t_active"."c_actor_id"
ORDER BY "t_active"."c_bucket" ASC NULLS LAST) AS "c_previous", lead(toNullable("t_active"."c_bucket"), {p1:Int32}, {p2:Int32}) OVER (PARTITION BY "t_active"."c_actor_id"
ORDER BY "t_active"."c_bucket" ASC NULLS LAST) AS "c_next", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_p"."created_at", 'UTC') AS "c_created"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p5:String})) AND (("t_e"."timestamp" >= toDateTime64({p3:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
LEFT JOIN (SELECT *
FROM "persons" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_p" ON (("t_p"."uuid" = "t_active"."c_actor_id") AND (("t_p"."created_at" >= toDateTime64({p3:String}, 6, 'UTC')) AND ("t_p"."created_at" < toDateTime64({p4:String}, 6, 'UTC'))))) AS "t_activity"
WHERE (("t_activity"."c_bucket" = {p6:Int32}) AND (NOT ("t_activity"."c_next" = ("t_activity"."c_bucket" + {p1:Int32}))))
-- [1,-2,"2026-01-31 00:00:00.000000","2026-02-09 00:00:00.000000","$pageview",2]
