SELECT "t_activity"."c_bucket" AS "c_bucket", multiIf(("t_activity"."c_previous" = ("t_activity"."c_bucket" + {p4:Int32})), {p1:String}, (("t_activity"."c_previous" = {p5:Int32}) AND ("t_activity"."c_created" = "t_activity"."c_bucket")), {p2:String}, {p3:String}) AS "c_status", toBool(("t_activity"."c_next" = ("t_activity"."c_bucket" + {p6:Int32}))) AS "c_is_followed", toInt64(count()) AS "c_actors"
FROM (SELECT "t_active"."c_actor_id" AS "c_actor_id", "t_active"."c_bucket" AS "c_bucket", lag(toNullable("t_active"."c_bucket"), {p6:Int32}, {p5:Int32}) OVER (PARTITION BY "t_active"."c_actor_id"
ORDER BY "t_active"."c_bucket" ASC NULLS LAST) AS "c_previous", lead(toNullable("t_active"."c_bucket"), {p6:Int32}, {p5:Int32}) OVER (PARTITION BY "t_active"."c_actor_id"
ORDER BY "t_active"."c_bucket" ASC NULLS LAST) AS "c_next", toInt64(floor(dateDiff('day', toDateTime64({p7:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_p"."created_at") + toInt64(round(toFloat64({p8:Int32}) * 1000000)), 'UTC'), 'UTC') / 7)) AS "c_created"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", toInt64(floor(dateDiff('day', toDateTime64({p7:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p8:Int32}) * 1000000)), 'UTC'), 'UTC') / 7)) AS "c_bucket"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p6:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p6:Int32} AND ((("t_e"."event" = {p11:String})) AND (("t_e"."timestamp" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p10:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), toInt64(floor(dateDiff('day', toDateTime64({p7:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p8:Int32}) * 1000000)), 'UTC'), 'UTC') / 7))) AS "t_active"
LEFT JOIN (SELECT *
FROM "persons" FINAL
WHERE "project_id" = {p6:Int32}) AS "t_p" ON (("t_p"."uuid" = "t_active"."c_actor_id") AND (("t_p"."created_at" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_p"."created_at" < toDateTime64({p10:String}, 6, 'UTC'))))) AS "t_activity"
GROUP BY "t_activity"."c_bucket", multiIf(("t_activity"."c_previous" = ("t_activity"."c_bucket" + {p4:Int32})), {p1:String}, (("t_activity"."c_previous" = {p5:Int32}) AND ("t_activity"."c_created" = "t_activity"."c_bucket")), {p2:String}, {p3:String}), toBool(("t_activity"."c_next" = ("t_activity"."c_bucket" + {p6:Int32})))
-- ["returning","new","resurrecting",-1,-2,1,"2026-01-19 00:00:00.000000",-18000,"2026-01-19 05:00:00.000000","2026-02-09 05:00:00.000000","$pageview"]
