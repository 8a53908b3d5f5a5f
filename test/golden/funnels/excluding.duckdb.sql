SELECT count(*) FILTER (WHERE ("q"."steps" >= CAST($1 AS BIGINT))) AS "count_0", count(*) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "count_1", count(*) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "count_2", avg((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "average_1", quantile_cont((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "median_1", avg((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "average_2", quantile_cont((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "median_2"
FROM (SELECT "b"."actor_id" AS "actor_id", "b"."steps" AS "steps", struct_extract_at("b"."moments", 1) AS "step_0", struct_extract_at("b"."moments", 2) AS "step_1", struct_extract_at("b"."moments", 3) AS "step_2"
FROM (SELECT "t"."actor_id" AS "actor_id", max("t"."steps") AS "steps", arg_max({'1': "t"."step_0", '2': "t"."step_1", '3': "t"."step_2"}, {'1': "t"."steps", '2': CASE WHEN "t"."is_spoilt" THEN CAST($4 AS BIGINT) ELSE CAST($1 AS BIGINT) END, '3': (date_sub('microsecond', COALESCE("t"."step_2", "t"."step_1", "t"."step_0"), CAST($5 AS TIMESTAMP)) / 1000000), '4': "t"."step_0"}) AS "moments"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", "a"."step_2" AS "step_2", least(CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($3 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END, CASE WHEN (NOT ("a"."spoilt_0" IS NULL)) THEN (CASE WHEN ((NOT ("a"."step_2" IS NULL)) AND ("a"."step_2" <= "a"."spoilt_0")) THEN CAST($3 AS BIGINT) WHEN ((NOT ("a"."step_1" IS NULL)) AND ("a"."step_1" <= "a"."spoilt_0")) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END + CAST($1 AS BIGINT)) ELSE CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($3 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END END) AS "steps", ((NOT ("a"."spoilt_0" IS NULL))) AS "is_spoilt"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", "a"."step_2" AS "step_2", CASE WHEN (("x"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($6 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) AND (("a"."step_1" IS NULL) OR ("x"."at" < "a"."step_1"))) THEN "x"."at" ELSE NULL END AS "spoilt_0"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($6 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_2"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($6 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "step_0"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $11)) AND ((("e"."timestamp" >= CAST($8 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE))) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $10)) AND ((("e"."timestamp" >= CAST($8 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."step_0" <= "n"."at") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $9)) AND ((("e"."timestamp" >= CAST($8 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND COALESCE("a"."step_1", CAST($5 AS TIMESTAMP)) <= "n"."at") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (((("e"."event" = $7))) AND ((("e"."timestamp" >= CAST($8 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE))) AS "x" ON "a"."actor_id" = "x"."actor_id" AND COALESCE("a"."step_0", CAST($5 AS TIMESTAMP)) < "x"."at") AS "a") AS "t"
GROUP BY "t"."actor_id"
HAVING ((max("t"."steps") = max(CASE WHEN (NOT "t"."is_spoilt") THEN "t"."steps" ELSE CAST($4 AS BIGINT) END)))) AS "b") AS "q" LIMIT $2
-- [1,2,3,0,"2026-02-21 05:00:00.000000",1209600,"leave","2026-02-01 05:00:00.000000","buy","cart","view"]
