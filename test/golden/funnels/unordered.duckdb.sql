SELECT count(*) FILTER (WHERE ("q"."steps" >= CAST($1 AS BIGINT))) AS "count_0", count(*) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "count_1", count(*) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "count_2", avg((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "average_1", quantile_cont((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "median_1", avg((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "average_2", quantile_cont((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "median_2"
FROM (SELECT "b"."actor_id" AS "actor_id", "b"."steps" AS "steps", struct_extract_at("b"."moments", 1) AS "step_0", struct_extract_at("b"."moments", 2) AS "step_1", struct_extract_at("b"."moments", 3) AS "step_2"
FROM (SELECT "t"."actor_id" AS "actor_id", max("t"."steps") AS "steps", arg_max({'1': "t"."step_0", '2': "t"."step_1", '3': "t"."step_2"}, {'1': "t"."steps", '2': (date_sub('microsecond', COALESCE("t"."step_2", "t"."step_1", "t"."step_0"), CAST($4 AS TIMESTAMP)) / 1000000), '3': (date_sub('microsecond', "t"."step_0", CAST($4 AS TIMESTAMP)) / 1000000)}) AS "moments"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", "a"."step_2" AS "step_2", CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($3 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END AS "steps"
FROM (SELECT "a"."actor_id" AS "actor_id", list_extract("a"."moments", TRY_CAST(trunc(CAST($1 AS BIGINT)) AS BIGINT)) AS "step_0", list_extract("a"."moments", TRY_CAST(trunc(CAST($2 AS BIGINT)) AS BIGINT)) AS "step_1", list_extract("a"."moments", TRY_CAST(trunc(CAST($3 AS BIGINT)) AS BIGINT)) AS "step_2"
FROM (SELECT "a"."actor_id" AS "actor_id", list_sort([CASE WHEN ((COALESCE("a"."set_0_1", CAST($4 AS TIMESTAMP)) < CAST($4 AS TIMESTAMP)) AND (COALESCE("a"."set_0_1", CAST($4 AS TIMESTAMP)) <= ("a"."start" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))))) THEN COALESCE("a"."set_0_1", CAST($4 AS TIMESTAMP)) ELSE NULL END, CASE WHEN ((COALESCE("a"."set_1_1", CAST($4 AS TIMESTAMP)) < CAST($4 AS TIMESTAMP)) AND (COALESCE("a"."set_1_1", CAST($4 AS TIMESTAMP)) <= ("a"."start" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))))) THEN COALESCE("a"."set_1_1", CAST($4 AS TIMESTAMP)) ELSE NULL END, CASE WHEN ((COALESCE("a"."set_2_1", CAST($4 AS TIMESTAMP)) < CAST($4 AS TIMESTAMP)) AND (COALESCE("a"."set_2_1", CAST($4 AS TIMESTAMP)) <= ("a"."start" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))))) THEN COALESCE("a"."set_2_1", CAST($4 AS TIMESTAMP)) ELSE NULL END], 'ASC', 'NULLS LAST') AS "moments"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."start" AS "start", "a"."set_0_1" AS "set_0_1", "a"."set_1_1" AS "set_1_1", "n"."at" AS "set_2_1"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."start" AS "start", "a"."set_0_1" AS "set_0_1", "n"."at" AS "set_1_1"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."start" AS "start", "n"."at" AS "set_0_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "start"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (((("e"."event" = $9)) OR (("e"."event" = $8)) OR (("e"."event" = $6))) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (((("e"."event" = $9))) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."start" <= "n"."at") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (((("e"."event" = $8))) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."start" <= "n"."at") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (((("e"."event" = $6))) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."start" <= "n"."at") AS "a") AS "a"
WHERE (NOT (list_extract("a"."moments", TRY_CAST(trunc(CAST($1 AS BIGINT)) AS BIGINT)) IS NULL))) AS "a") AS "t"
GROUP BY "t"."actor_id") AS "b") AS "q" LIMIT $2
-- [1,2,3,"2026-02-21 05:00:00.000000",1209600,"buy","2026-02-01 05:00:00.000000","cart","view"]
