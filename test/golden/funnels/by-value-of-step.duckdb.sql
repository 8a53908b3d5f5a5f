SELECT "q"."value_0" AS "value_0", count(*) FILTER (WHERE ("q"."steps" >= CAST($1 AS BIGINT))) AS "count_0", count(*) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "count_1", count(*) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "count_2", avg((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "average_1", quantile_cont((date_sub('microsecond', "q"."step_0", "q"."step_1") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($2 AS BIGINT))) AS "median_1", avg((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000)) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "average_2", quantile_cont((date_sub('microsecond', "q"."step_1", "q"."step_2") / 1000000), 0.5) FILTER (WHERE ("q"."steps" >= CAST($3 AS BIGINT))) AS "median_2"
FROM (SELECT "b"."actor_id" AS "actor_id", "b"."value_0" AS "value_0", "b"."steps" AS "steps", struct_extract_at("b"."moments", 1) AS "step_0", struct_extract_at("b"."moments", 2) AS "step_1", struct_extract_at("b"."moments", 3) AS "step_2"
FROM (SELECT "t"."actor_id" AS "actor_id", "t"."value_0" AS "value_0", max("t"."steps") AS "steps", arg_max({'1': "t"."step_0", '2': "t"."step_1", '3': "t"."step_2"}, {'1': "t"."steps", '2': (date_sub('microsecond', COALESCE("t"."step_2", "t"."step_1", "t"."step_0"), CAST($4 AS TIMESTAMP)) / 1000000), '3': "t"."step_0"}) AS "moments"
FROM (SELECT "a"."value_0" AS "value_0", "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", "a"."step_2" AS "step_2", CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($3 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END AS "steps"
FROM (SELECT "a"."value_0" AS "value_0", "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_2"
FROM (SELECT "l"."value_0" AS "value_0", "l"."actor_id" AS "actor_id", "l"."step_1" AS "step_1", max("l"."step_0") AS "step_0"
FROM (SELECT "a"."value_0" AS "value_0", "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_1"
FROM (SELECT "v"."value_0" AS "value_0", "s"."actor_id" AS "actor_id", "s"."step_0" AS "step_0"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "step_0"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $10)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "s"
INNER JOIN (SELECT DISTINCT "c"."actor_id" AS "actor_id", "c"."value_0" AS "value_0"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", COALESCE("e"."p_1", $8) AS "value_0", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $9)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "c") AS "v" ON ("v"."actor_id" = "s"."actor_id")) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", COALESCE("e"."p_1", $8) AS "value_0", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $9)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."value_0" = "n"."value_0" AND "a"."step_0" <= "n"."at") AS "l"
GROUP BY "l"."value_0", "l"."actor_id", "l"."step_1") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $6)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND COALESCE("a"."step_1", CAST($4 AS TIMESTAMP)) <= "n"."at") AS "a") AS "t"
GROUP BY "t"."actor_id", "t"."value_0"
HAVING ((max("t"."steps") > CAST($1 AS BIGINT)))) AS "b") AS "q"
GROUP BY "q"."value_0"
ORDER BY count(*) FILTER (WHERE ("q"."steps" >= CAST($1 AS BIGINT))) DESC NULLS LAST, "q"."value_0" ASC NULLS LAST LIMIT $11
-- [1,2,3,"2026-02-21 05:00:00.000000",1209600,"buy","2026-02-01 05:00:00.000000","","cart","view",26]
