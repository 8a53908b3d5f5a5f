SELECT CAST($1 AS BIGINT) AS "series", "per_actor"."days_0" AS "days", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", count(*) AS "days_0"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", CAST(floor(date_diff('day', CAST($2 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER) AS "bucket"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $3 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $3 AND ((("e"."event" = $4)) AND (("e"."timestamp" >= CAST($2 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), CAST(floor(date_diff('day', CAST($2 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER)) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
GROUP BY "per_actor"."days_0"
ORDER BY "per_actor"."days_0" ASC NULLS LAST
-- [0,"2026-01-26 00:00:00.000000",1,"$pageview","2026-02-09 00:00:00.000000"]

SELECT CAST($1 AS BIGINT) AS "series", "per_actor"."days_0" AS "days", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", count(*) AS "days_0"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", CAST(floor(date_diff('day', CAST($2 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER) AS "bucket"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $3 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $3 AND ((("e"."event" = $4)) AND (("e"."timestamp" >= CAST($2 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), CAST(floor(date_diff('day', CAST($2 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER)) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
GROUP BY "per_actor"."days_0"
ORDER BY "per_actor"."days_0" ASC NULLS LAST
-- [0,"2026-01-19 00:00:00.000000",1,"$pageview","2026-02-01 00:00:00.000000"]
