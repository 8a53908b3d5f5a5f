SELECT count(*) FILTER (WHERE (NOT ("a"."step_2" IS NULL))) AS "converted", count(*) AS "people"
FROM (SELECT "b"."actor_id" AS "actor_id", "b"."steps" AS "steps", struct_extract_at("b"."moments", 1) AS "step_0", struct_extract_at("b"."moments", 2) AS "step_1", struct_extract_at("b"."moments", 3) AS "step_2"
FROM (SELECT "t"."actor_id" AS "actor_id", max("t"."steps") AS "steps", arg_max({'1': "t"."step_0", '2': "t"."step_1", '3': "t"."step_2"}, {'1': "t"."steps", '2': (date_sub('microsecond', COALESCE("t"."step_2", "t"."step_1", "t"."step_0"), CAST($1 AS TIMESTAMP)) / 1000000), '3': "t"."step_0"}) AS "moments"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", "a"."step_2" AS "step_2", CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($2 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($3 AS BIGINT) ELSE CAST($4 AS BIGINT) END AS "steps"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_2"
FROM (SELECT "l"."actor_id" AS "actor_id", "l"."step_1" AS "step_1", max("l"."step_0") AS "step_0"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "step_0"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $4 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $4 AND ((("e"."event" = $9)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($1 AS TIMESTAMP))) AND TRUE))) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $4 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $4 AND ((("e"."event" = $8)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($1 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."step_0" <= "n"."at") AS "l"
GROUP BY "l"."actor_id", "l"."step_1") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $4 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $4 AND ((("e"."event" = $6)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($1 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND COALESCE("a"."step_1", CAST($1 AS TIMESTAMP)) <= "n"."at") AS "a") AS "t"
GROUP BY "t"."actor_id") AS "b") AS "a"
-- ["2026-02-21 05:00:00.000000",3,2,1,1209600,"buy","2026-02-01 05:00:00.000000","cart","view"]

SELECT "a"."trait" AS "trait", "a"."converted" AS "converted", "a"."others" AS "others", ((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)) AS "odds"
FROM (SELECT "t"."trait" AS "trait", count(DISTINCT "t"."actor_id") FILTER (WHERE "t"."is_converted") AS "converted", count(DISTINCT "t"."actor_id") FILTER (WHERE (NOT "t"."is_converted")) AS "others"
FROM (SELECT "a"."actor_id" AS "actor_id", (NOT ("a"."step_2" IS NULL)) AS "is_converted", "d"."trait" AS "trait"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at", "e"."event" AS "trait"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((NOT ("e"."event" IN ($9, $8, $6))) AND (("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($3 AS TIMESTAMP))))) AS "d"
INNER JOIN (SELECT "b"."actor_id" AS "actor_id", "b"."steps" AS "steps", struct_extract_at("b"."moments", 1) AS "step_0", struct_extract_at("b"."moments", 2) AS "step_1", struct_extract_at("b"."moments", 3) AS "step_2"
FROM (SELECT "t"."actor_id" AS "actor_id", max("t"."steps") AS "steps", arg_max({'1': "t"."step_0", '2': "t"."step_1", '3': "t"."step_2"}, {'1': "t"."steps", '2': (date_sub('microsecond', COALESCE("t"."step_2", "t"."step_1", "t"."step_0"), CAST($3 AS TIMESTAMP)) / 1000000), '3': "t"."step_0"}) AS "moments"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", "a"."step_2" AS "step_2", CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($4 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($1 AS BIGINT) END AS "steps"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_1" AS "step_1", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_2"
FROM (SELECT "l"."actor_id" AS "actor_id", "l"."step_1" AS "step_1", max("l"."step_0") AS "step_0"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "step_0"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $9)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($3 AS TIMESTAMP))) AND TRUE))) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $8)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($3 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."step_0" <= "n"."at") AS "l"
GROUP BY "l"."actor_id", "l"."step_1") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $6)) AND ((("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($3 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND COALESCE("a"."step_1", CAST($3 AS TIMESTAMP)) <= "n"."at") AS "a") AS "t"
GROUP BY "t"."actor_id") AS "b") AS "a" ON ("a"."actor_id" = "d"."actor_id")
WHERE (("d"."at" > "a"."step_0") AND ("d"."at" < COALESCE("a"."step_2", ("a"."step_0" + to_microseconds(CAST(CAST(CAST($5 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))))))) AS "t"
GROUP BY "t"."trait"
HAVING (count(DISTINCT "t"."actor_id") >= $10)) AS "a" QUALIFY row_number() OVER (PARTITION BY (((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)) > CAST($1 AS BIGINT))
ORDER BY greatest(((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)), (CAST($1 AS BIGINT) / NULLIF(((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)), 0))) DESC NULLS LAST, "a"."trait" ASC NULLS LAST) BETWEEN $1 AND $11
ORDER BY greatest(((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)), (CAST($1 AS BIGINT) / NULLIF(((("a"."converted" + CAST($1 AS BIGINT)) * (CAST($2 AS BIGINT) - "a"."others")) / NULLIF(((CAST($2 AS BIGINT) - "a"."converted") * ("a"."others" + CAST($1 AS BIGINT))), 0)), 0))) DESC NULLS LAST, "a"."trait" ASC NULLS LAST
-- [1,2,"2026-02-21 05:00:00.000000",3,1209600,"buy","2026-02-01 05:00:00.000000","cart","view",0.04,10]
