SELECT "a_edges.at" AS "c_bucket", sumOrNull("a_edges.step") AS "c_m0"
FROM (SELECT greatest("t_r"."c_start", {p3:Int32}) AS "c_start", least("t_r"."c_stop", coalesce(lead(toNullable("t_r"."c_start")) OVER (PARTITION BY "t_r"."c_actor"
ORDER BY "t_r"."c_start" ASC NULLS LAST, "t_r"."c_stop" ASC NULLS LAST), "t_r"."c_stop"), {p4:Int32}) AS "c_stop"
FROM (SELECT DISTINCT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor", (dateDiff('day', toDateTime64({p5:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro(multiIf(("t_e"."timestamp" < toDateTime64({p8:String}, 6, 'UTC')), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p6:Int32}) * 1000000)), 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p7:Int32}) * 1000000)), 'UTC'))) + toInt64(round(toFloat64({p9:Float64}) * 1000000)), 'UTC'), 'UTC') + {p1:Int32}) AS "c_start", (dateDiff('day', toDateTime64({p5:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro(multiIf(("t_e"."timestamp" < toDateTime64({p8:String}, 6, 'UTC')), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p6:Int32}) * 1000000)), 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_e"."timestamp") + toInt64(round(toFloat64({p7:Int32}) * 1000000)), 'UTC'))) + toInt64(round(toFloat64({p10:Float64}) * 1000000)), 'UTC'), 'UTC') + {p1:Int32}) AS "c_stop"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p11:String})) AND (("t_e"."timestamp" > toDateTime64({p12:String}, 6, 'UTC')) AND ("t_e"."timestamp" <= toDateTime64({p13:String}, 6, 'UTC'))) AND true)) AS "t_r") AS "t_c"
ARRAY JOIN arrayMap(x -> toNullable(x), ["t_c"."c_start", "t_c"."c_stop"]) AS "a_edges.at", arrayMap(x -> toNullable(x), [{p1:Int32}, {p2:Int32}]) AS "a_edges.step"
WHERE (("t_c"."c_start" < "t_c"."c_stop") AND ("a_edges.at" < {p4:Int32}))
GROUP BY "a_edges.at"
-- [1,-1,0,20,"2026-03-01 00:00:00.000000",-18000,-14400,"2026-03-08 07:00:00.000000",-86400.000001,518399.999999,"view","2026-02-23 05:00:00.000000","2026-03-21 03:59:59.999999"]
