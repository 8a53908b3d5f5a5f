SELECT date_diff('day', CAST($1 AS TIMESTAMP), CASE WHEN ("c"."first" < CAST($2 AS TIMESTAMP)) THEN ("c"."first" + to_microseconds(CAST(CAST(CAST($3 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) ELSE ("c"."first" + to_microseconds(CAST(CAST(CAST($4 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) END) AS "bucket", count(*) AS "m0"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor", min("e"."timestamp") AS "first"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $5 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $5 AND ((("e"."event" = $6)) AND (("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($8 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id")) AS "c"
GROUP BY date_diff('day', CAST($1 AS TIMESTAMP), CASE WHEN ("c"."first" < CAST($2 AS TIMESTAMP)) THEN ("c"."first" + to_microseconds(CAST(CAST(CAST($3 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) ELSE ("c"."first" + to_microseconds(CAST(CAST(CAST($4 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) END)
-- ["2026-03-01 00:00:00.000000","2026-03-08 07:00:00.000000",-18000,-14400,1,"view","2026-03-01 05:00:00.000000","2026-03-21 04:00:00.000000"]
