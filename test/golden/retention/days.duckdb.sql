SELECT "targets"."target" AS "target", (("marks"."mark" * CAST($1 AS BIGINT)) + CAST($2 AS BIGINT)) AS "mark", count(*) AS "actors"
FROM (SELECT COALESCE(list("active"."bucket") FILTER (WHERE "active"."bucket" IS NOT NULL), []) AS "marks"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $2 AND ((("e"."event" = $4)) AND ("e"."timestamp" < CAST($5 AS TIMESTAMP)) AND ("e"."timestamp" >= CAST($3 AS TIMESTAMP)) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "target") AS "targets"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "mark") AS "marks"
WHERE ("marks"."mark" >= "targets"."target")
GROUP BY "targets"."target", "marks"."mark"
ORDER BY "targets"."target" ASC NULLS LAST, "marks"."mark" ASC NULLS LAST
-- [2,1,"2026-01-29 00:00:00.000000","$pageview","2026-02-09 00:00:00.000000"]
