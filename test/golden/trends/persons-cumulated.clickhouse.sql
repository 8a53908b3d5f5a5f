SELECT dateDiff('day', toDateTime64({p1:String}, 6, 'UTC'), multiIf(("t_c"."c_first" < toDateTime64({p4:String}, 6, 'UTC')), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_c"."c_first") + toInt64(round(toFloat64({p2:Int32}) * 1000000)), 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_c"."c_first") + toInt64(round(toFloat64({p3:Int32}) * 1000000)), 'UTC')), 'UTC') AS "c_bucket", toInt64(count()) AS "c_m0"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor", minOrNull("t_e"."timestamp") AS "c_first"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p5:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p5:Int32} AND ((("t_e"."event" = {p6:String})) AND (("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p8:String}, 6, 'UTC'))) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id")) AS "t_c"
GROUP BY dateDiff('day', toDateTime64({p1:String}, 6, 'UTC'), multiIf(("t_c"."c_first" < toDateTime64({p4:String}, 6, 'UTC')), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_c"."c_first") + toInt64(round(toFloat64({p2:Int32}) * 1000000)), 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_c"."c_first") + toInt64(round(toFloat64({p3:Int32}) * 1000000)), 'UTC')), 'UTC')
-- ["2026-03-01 00:00:00.000000",-18000,-14400,"2026-03-08 07:00:00.000000",1,"view","2026-03-01 05:00:00.000000","2026-03-21 04:00:00.000000"]
