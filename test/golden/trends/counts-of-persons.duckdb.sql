SELECT CAST($1 AS BIGINT) AS "bucket", avg("c"."events") AS "m0"
FROM (SELECT CAST($1 AS BIGINT) AS "bucket", COALESCE("o"."person_id", "e"."person_id") AS "actor", count(*) AS "events"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $2 AND ((("e"."event" = $3)) AND (("e"."timestamp" >= CAST($4 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id")) AS "c"
-- [0,1,"view","2026-03-01 05:00:00.000000","2026-03-21 04:00:00.000000"]
