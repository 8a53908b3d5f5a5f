SELECT toInt64(count() FILTER (WHERE (NOT isNull("t_a"."c_step_2")))) AS "c_converted", toInt64(count()) AS "c_people"
FROM (SELECT "t_b"."c_actor_id" AS "c_actor_id", "t_b"."c_steps" AS "c_steps", tupleElement("t_b"."c_moments", 1) AS "c_step_0", tupleElement("t_b"."c_moments", 2) AS "c_step_1", tupleElement("t_b"."c_moments", 3) AS "c_step_2"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", maxOrNull("t_t"."c_steps") AS "c_steps", argMaxOrNull(tuple("t_t"."c_step_0", "t_t"."c_step_1", "t_t"."c_step_2"), tuple("t_t"."c_steps", ((toUnixTimestamp64Micro(toDateTime64({p1:String}, 6, 'UTC')) - toUnixTimestamp64Micro(coalesce("t_t"."c_step_2", "t_t"."c_step_1", "t_t"."c_step_0"))) / 1000000), "t_t"."c_step_0")) AS "c_moments"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", "t_a"."c_step_2" AS "c_step_2", multiIf((NOT isNull("t_a"."c_step_2")), {p2:Int32}, (NOT isNull("t_a"."c_step_1")), {p3:Int32}, {p4:Int32}) AS "c_steps"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_2"
FROM (SELECT "t_l"."c_actor_id" AS "c_actor_id", "t_l"."c_step_1" AS "c_step_1", maxOrNull("t_l"."c_step_0") AS "c_step_0"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_1"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_step_0"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p4:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p4:Int32} AND ((("t_e"."event" = {p9:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p1:String}, 6, 'UTC'))) AND true))) AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p4:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p4:Int32} AND ((("t_e"."event" = {p8:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p1:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND "t_a"."c_step_0" <= "t_n"."c_at") AS "t_l"
GROUP BY "t_l"."c_actor_id", "t_l"."c_step_1") AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p4:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p4:Int32} AND ((("t_e"."event" = {p6:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p1:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND coalesce("t_a"."c_step_1", toDateTime64({p1:String}, 6, 'UTC')) <= "t_n"."c_at") AS "t_a") AS "t_t"
GROUP BY "t_t"."c_actor_id") AS "t_b") AS "t_a"
-- ["2026-02-21 05:00:00.000000",3,2,1,1209600,"buy","2026-02-01 05:00:00.000000","cart","view"]

SELECT "t_a"."c_trait" AS "c_trait", "t_a"."c_converted" AS "c_converted", "t_a"."c_others" AS "c_others", ((("t_a"."c_converted" + {p1:Int32}) * ({p2:Int32} - "t_a"."c_others")) / nullIf((({p2:Int32} - "t_a"."c_converted") * ("t_a"."c_others" + {p1:Int32})), 0)) AS "c_odds"
FROM (SELECT "t_t"."c_trait" AS "c_trait", toInt64(uniqExact("t_t"."c_actor_id") FILTER (WHERE "t_t"."c_is_converted")) AS "c_converted", toInt64(uniqExact("t_t"."c_actor_id") FILTER (WHERE (NOT "t_t"."c_is_converted"))) AS "c_others"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", toBool((NOT isNull("t_a"."c_step_2"))) AS "c_is_converted", "t_d"."c_trait" AS "c_trait"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at", "t_e"."event" AS "c_trait"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((NOT ("t_e"."event" IN ({p9:String}, {p8:String}, {p6:String}))) AND (("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p3:String}, 6, 'UTC'))))) AS "t_d"
INNER JOIN (SELECT "t_b"."c_actor_id" AS "c_actor_id", "t_b"."c_steps" AS "c_steps", tupleElement("t_b"."c_moments", 1) AS "c_step_0", tupleElement("t_b"."c_moments", 2) AS "c_step_1", tupleElement("t_b"."c_moments", 3) AS "c_step_2"
FROM (SELECT "t_t"."c_actor_id" AS "c_actor_id", maxOrNull("t_t"."c_steps") AS "c_steps", argMaxOrNull(tuple("t_t"."c_step_0", "t_t"."c_step_1", "t_t"."c_step_2"), tuple("t_t"."c_steps", ((toUnixTimestamp64Micro(toDateTime64({p3:String}, 6, 'UTC')) - toUnixTimestamp64Micro(coalesce("t_t"."c_step_2", "t_t"."c_step_1", "t_t"."c_step_0"))) / 1000000), "t_t"."c_step_0")) AS "c_moments"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", "t_a"."c_step_2" AS "c_step_2", multiIf((NOT isNull("t_a"."c_step_2")), {p4:Int32}, (NOT isNull("t_a"."c_step_1")), {p2:Int32}, {p1:Int32}) AS "c_steps"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_1" AS "c_step_1", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_2"
FROM (SELECT "t_l"."c_actor_id" AS "c_actor_id", "t_l"."c_step_1" AS "c_step_1", maxOrNull("t_l"."c_step_0") AS "c_step_0"
FROM (SELECT "t_a"."c_actor_id" AS "c_actor_id", "t_a"."c_step_0" AS "c_step_0", multiIf(("t_n"."c_at" <= fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC')), "t_n"."c_at", NULL) AS "c_step_1"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_step_0"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p9:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p3:String}, 6, 'UTC'))) AND true))) AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p8:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p3:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND "t_a"."c_step_0" <= "t_n"."c_at") AS "t_l"
GROUP BY "t_l"."c_actor_id", "t_l"."c_step_1") AS "t_a"
ASOF LEFT JOIN (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", "t_e"."timestamp" AS "c_at"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND ((("t_e"."event" = {p6:String})) AND ((("t_e"."timestamp" >= toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" < toDateTime64({p3:String}, 6, 'UTC'))) AND true))) AS "t_n" ON "t_a"."c_actor_id" = "t_n"."c_actor_id" AND coalesce("t_a"."c_step_1", toDateTime64({p3:String}, 6, 'UTC')) <= "t_n"."c_at") AS "t_a") AS "t_t"
GROUP BY "t_t"."c_actor_id") AS "t_b") AS "t_a" ON ("t_a"."c_actor_id" = "t_d"."c_actor_id")
WHERE (("t_d"."c_at" > "t_a"."c_step_0") AND ("t_d"."c_at" < coalesce("t_a"."c_step_2", fromUnixTimestamp64Micro(toUnixTimestamp64Micro("t_a"."c_step_0") + toInt64(round(toFloat64({p5:Int32}) * 1000000)), 'UTC'))))) AS "t_t"
GROUP BY "t_t"."c_trait"
HAVING (toInt64(uniqExact("t_t"."c_actor_id")) >= {p10:Float64})) AS "t_a"
ORDER BY greatest(((("t_a"."c_converted" + {p1:Int32}) * ({p2:Int32} - "t_a"."c_others")) / nullIf((({p2:Int32} - "t_a"."c_converted") * ("t_a"."c_others" + {p1:Int32})), 0)), ({p1:Int32} / nullIf(((("t_a"."c_converted" + {p1:Int32}) * ({p2:Int32} - "t_a"."c_others")) / nullIf((({p2:Int32} - "t_a"."c_converted") * ("t_a"."c_others" + {p1:Int32})), 0)), 0))) DESC NULLS LAST, "t_a"."c_trait" ASC NULLS LAST LIMIT {p11:UInt64} BY toBool((((("t_a"."c_converted" + {p1:Int32}) * ({p2:Int32} - "t_a"."c_others")) / nullIf((({p2:Int32} - "t_a"."c_converted") * ("t_a"."c_others" + {p1:Int32})), 0)) > {p1:Int32}))
-- [1,2,"2026-02-21 05:00:00.000000",3,1209600,"buy","2026-02-01 05:00:00.000000","cart","view",0.04,10]
