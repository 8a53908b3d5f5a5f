SELECT "q"."bucket" AS "bucket", count(*) FILTER (WHERE ("q"."steps" > CAST($1 AS BIGINT))) AS "reached_from", count(*) FILTER (WHERE ("q"."steps" > CAST($2 AS BIGINT))) AS "reached_to"
FROM (SELECT "t"."actor_id" AS "actor_id", CAST(floor(date_diff('day', CAST($3 AS TIMESTAMP), ("t"."step_0" + to_microseconds(CAST(CAST(CAST($4 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) / 7) AS INTEGER) AS "bucket", max("t"."steps") AS "steps"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", "a"."step_2" AS "step_2", CASE WHEN (NOT ("a"."step_2" IS NULL)) THEN CAST($5 AS BIGINT) WHEN (NOT ("a"."step_1" IS NULL)) THEN CAST($2 AS BIGINT) ELSE CAST($6 AS BIGINT) END AS "steps"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", "a"."step_1" AS "step_1", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($7 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_2"
FROM (SELECT "a"."actor_id" AS "actor_id", "a"."step_0" AS "step_0", CASE WHEN ("n"."at" <= ("a"."step_0" + to_microseconds(CAST(CAST(CAST($7 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) THEN "n"."at" ELSE NULL END AS "step_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "step_0"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $6 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $6 AND ((("e"."event" = $12)) AND ((("e"."timestamp" >= CAST($9 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($10 AS TIMESTAMP))) AND TRUE))) AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $6 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $6 AND ((("e"."event" = $11)) AND ((("e"."timestamp" >= CAST($9 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($10 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND "a"."step_0" <= "n"."at") AS "a"
ASOF LEFT JOIN (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $6 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $6 AND ((("e"."event" = $8)) AND ((("e"."timestamp" >= CAST($9 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($10 AS TIMESTAMP))) AND TRUE))) AS "n" ON "a"."actor_id" = "n"."actor_id" AND COALESCE("a"."step_1", CAST($10 AS TIMESTAMP)) <= "n"."at") AS "a") AS "t"
GROUP BY "t"."actor_id", CAST(floor(date_diff('day', CAST($3 AS TIMESTAMP), ("t"."step_0" + to_microseconds(CAST(CAST(CAST($4 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) / 7) AS INTEGER)) AS "q"
GROUP BY "q"."bucket"
ORDER BY count(*) FILTER (WHERE ("q"."steps" > CAST($1 AS BIGINT))) DESC NULLS LAST, "q"."bucket" ASC NULLS LAST LIMIT $13
-- [0,2,"2026-01-26 00:00:00.000000",-18000,3,1,1209600,"buy","2026-01-26 05:00:00.000000","2026-02-21 05:00:00.000000","cart","view",100000]
