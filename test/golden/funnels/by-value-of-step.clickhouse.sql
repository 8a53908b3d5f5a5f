SELECT "t_q"."c_value_0" AS "c_value_0", toInt64(count() FILTER (WHERE ("t_q"."c_steps" >= {p1:Int32}))) AS "c_count_0", toInt64(count() FILTER (WHERE ("t_q"."c_steps" >= {p2:Int32}))) AS "c_count_1", toInt64(count() FILTER (WHERE ("t_q"."c_steps" >= {p3:Int32}))) AS "c_count_2", avgOrNull(((toUnixTimestamp64Micro("t_q"."c_step_1") - toUnixTimestamp64Micro("t_q"."c_step_0")) / 1000000)) FILTER (WHERE ("t_q"."c_steps" >= {p2:Int32})) AS "c_average_1", quantileExactInclusiveOrNull(0.5)(((toUnixTimestamp64Micro("t_q"."c_step_1") - toUnixTimestamp64Micro("t_q"."c_step_0")) / 1000000)) FILTER (WHERE ("t_q"."c_steps" >= {p2:Int32})) AS "c_median_1", avgOrNull(((toUnixTimestamp64Micro("t_q"."c_step_2") - toUnixTimestamp64Micro("t_q"."c_step_1")) / 1000000)) FILTER (WHERE ("t_q"."c_steps" >= {p3:Int32})) AS "c_average_2", quantileExactInclusiveOrNull(0.5)(((toUnixTimestamp64Micro("t_q"."c_step_2") - toUnixTimestamp64Micro("t_q"."c_step_1")) / 1000000)) FILTER (WHERE ("t_q"."c_steps" >= {p3:Int32})) AS "c_median_2"
FROM (SELECT "t_b"."c_actor_id" AS "c_actor_id", "t_b"."c_value_0" AS "c_value_0", "t_b"."c_steps" AS "c_steps", tupleElement("t_b"."c_moments", 1) AS "c_step_0", tupleElement("t_b"."c_moments", 2) AS "c_step_1", tupleElement("t_b"."c_moments", 3) AS "c_step_2"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", "t_t"."c_value_0" AS "c_value_0", maxOrNull("t_t"."c_steps") AS "c_steps", argMaxOrNull(tuple("t_t"."c_step_0", "t_t"."c_step_1", "t_t"."c_step_2"), tuple("t_t"."c_steps", ((toUnixTimestamp64Micro(toDateTime64({p4:String}, 6, 'UTC')) - toUnixTimestamp64Micro(coalesce("t_t"."c_step_2", "t_t"."c_step_1", "t_t"."c_step_0"))) / 1000000), "t_t"."c_step_0")) AS "c_moments"
FROM (SELECT "t_a"."c_value_0" AS "c_value_0", "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", "t_a"."c_step_2" AS "c_step_2", multiIf((NOT isNull("t_a"."c_step_2")), {p3:Int32}, (NOT isNull("t_a"."c_step_1")), {p2:Int32}, {p1:Int32}) AS "c_steps"
FROM (SELECT "t_a"."c_value_0" AS "c_value_0", "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_2"
FROM (SELECT "t_l"."c_value_0" AS "c_value_0", "t_l"."c_actor_id" AS "c_actor_id", "t_l"."c_step_1" AS "c_step_1", maxOrNull("t_l"."c_step_0") AS "c_step_0"
FROM (SELECT "t_a"."c_value_0" AS "c_value_0", "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_1"
FROM (SELECT "t_v"."c_value_0" AS "c_value_0", "t_s"."c_actor_id" AS "c_actor_id", "t_s"."c_step_0" AS "c_step_0"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_step_0"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p11:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true))) AS "t_s"
INNER JOIN (SELECT DISTINCT "t_c"."c_actor_id" AS "c_actor_id", "t_c"."c_value_0" AS "c_value_0"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", coalesce(multiIf("t_e"."properties"[{p8:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p8:String}], '"'), substring("t_e"."properties"[{p8:String}], 2), "t_e"."properties"[{p8:String}]), {p9:String}) AS "c_value_0", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p10:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true))) AS "t_c") AS "t_v" ON ("t_v"."c_actor_id" = "t_s"."c_actor_id")) AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", coalesce(multiIf("t_e"."properties"[{p8:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p8:String}], '"'), substring("t_e"."properties"[{p8:String}], 2), "t_e"."properties"[{p8:String}]), {p9:String}) AS "c_value_0", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p10:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND "t_a"."c_value_0" = "t_n"."c_value_0" AND "t_a"."c_step_0" <= "t_n"."c_at") AS "t_l"
GROUP BY "t_l"."c_value_0", "t_l"."c_actor_id", "t_l"."c_step_1") AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p6:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p4:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND coalesce("t_a"."c_step_1", toDateTime64({p4:String}, 6, 'UTC')) <= "t_n"."c_at") AS "t_a") AS "t_t"
GROUP BY "t_t"."c_actor_id", "t_t"."c_value_0"
HAVING ((maxOrNull("t_t"."c_steps") > {p1:Int32}))) AS "t_b") AS "t_q"
GROUP BY "t_q"."c_value_0"
ORDER BY toInt64(count() FILTER (WHERE ("t_q"."c_steps" >= {p1:Int32}))) DESC NULLS LAST, "t_q"."c_value_0" ASC NULLS LAST LIMIT {p12:UInt64}
-- [1,2,3,"2026-02-21 05:00:00.000000",1209600,"buy","2026-02-01 05:00:00.000000","$browser","","cart","view",26]
