SELECT "t_q"."c_bucket" AS "c_bucket", toInt64(count() FILTER (WHERE ("t_q"."c_steps" > {p1:Int32}))) AS "c_reached_from", toInt64(count() FILTER (WHERE ("t_q"."c_steps" > {p2:Int32}))) AS "c_reached_to"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", toInt64(floor(dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_t"."c_step_0") + toInt64(round(toFloat64({p4:Int32}) * 1000000)), 'UTC'), 'UTC') / 7)) AS "c_bucket", maxOrNull("t_t"."c_steps") AS "c_steps"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_2" AS "c_step_2", multiIf((NOT isNull("t_a"."c_step_2")), {p5:Int32}, (NOT isNull("t_a"."c_step_1")), {p2:Int32}, {p6:Int32}) AS "c_steps"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", "t_a"."c_step_1" AS "c_step_1", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p7:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_2"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p7:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_1"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_step_0"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p6:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p6:Int32} AND ((("t_e"."event" = {p12:String})) AND ((("t_e"."timestamp" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p10:String}, 6, 'UTC'))) AND true))) AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p6:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p6:Int32} AND ((("t_e"."event" = {p11:String})) AND ((("t_e"."timestamp" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p10:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND "t_a"."c_step_0" <= "t_n"."c_at") AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p6:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p6:Int32} AND ((("t_e"."event" = {p8:String})) AND ((("t_e"."timestamp" >= toDateTime64({p9:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p10:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND coalesce("t_a"."c_step_1", toDateTime64({p10:String}, 6, 'UTC')) <= "t_n"."c_at") AS "t_a") AS "t_t"
GROUP BY "t_t"."c_actor_id", toInt64(floor(dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_t"."c_step_0") + toInt64(round(toFloat64({p4:Int32}) * 1000000)), 'UTC'), 'UTC') / 7))) AS "t_q"
GROUP BY "t_q"."c_bucket"
ORDER BY toInt64(count() FILTER (WHERE ("t_q"."c_steps" > {p1:Int32}))) DESC NULLS LAST, "t_q"."c_bucket" ASC NULLS LAST LIMIT {p13:UInt64}
-- [0,2,"2026-01-26 00:00:00.000000",-18000,3,1,1209600,"buy","2026-01-26 05:00:00.000000","2026-02-21 05:00:00.000000","cart","view",100000]
