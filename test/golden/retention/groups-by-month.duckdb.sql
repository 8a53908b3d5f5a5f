SELECT "targets"."target" AS "target", (("marks"."mark" * CAST($1 AS BIGINT)) + CAST($2 AS BIGINT)) AS "mark", count(*) AS "actors"
FROM (SELECT COALESCE(list("active"."bucket") FILTER (WHERE "active"."bucket" IS NOT NULL), []) AS "marks"
FROM (SELECT json_extract_string("e"."properties", $3) AS "actor_id", date_diff('month', CAST($4 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
WHERE "e"."project_id" = $2 AND ((("e"."event" = $5)) AND ("e"."timestamp" < CAST($6 AS TIMESTAMP)) AND ("e"."timestamp" >= CAST($4 AS TIMESTAMP)) AND (NOT (json_extract_string("e"."properties", $3) IS NULL)) AND (json_extract_string("e"."properties", $3) != $7) AND TRUE)
GROUP BY json_extract_string("e"."properties", $3), date_diff('month', CAST($4 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "target") AS "targets"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "mark") AS "marks"
WHERE ("marks"."mark" >= "targets"."target")
GROUP BY "targets"."target", "marks"."mark"
ORDER BY "targets"."target" ASC NULLS LAST, "marks"."mark" ASC NULLS LAST
-- [2,1,"/$group_0","2025-04-01 00:00:00.000000","$pageview","2026-03-01 00:00:00.000000",""]
