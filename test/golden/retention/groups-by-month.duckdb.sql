SELECT "targets"."target" AS "target", "marks"."mark" AS "mark", count(*) AS "actors"
FROM (SELECT COALESCE(list("active"."bucket") FILTER (WHERE "active"."bucket" IS NOT NULL AND TRUE), []) AS "targets", COALESCE(list((("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN TRUE THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END)) FILTER (WHERE (("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN TRUE THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END) IS NOT NULL), []) AS "marks"
FROM (SELECT json_extract_string("e"."properties", $4) AS "actor_id", date_diff('month', CAST($5 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
WHERE "e"."project_id" = $2 AND ((("e"."event" = $6)) AND ("e"."timestamp" < CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" >= CAST($5 AS TIMESTAMP)) AND (NOT (json_extract_string("e"."properties", $4) IS NULL)) AND (json_extract_string("e"."properties", $4) != $8) AND TRUE)
GROUP BY json_extract_string("e"."properties", $4), date_diff('month', CAST($5 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."targets") AS "target") AS "targets"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "mark") AS "marks"
WHERE ("marks"."mark" >= ("targets"."target" * CAST($1 AS BIGINT)))
GROUP BY "targets"."target", "marks"."mark"
ORDER BY "targets"."target" ASC NULLS LAST, "marks"."mark" ASC NULLS LAST
-- [2,1,0,"/$group_0","2025-04-01 00:00:00.000000","$pageview","2026-03-01 00:00:00.000000",""]
