SELECT "found"."series" AS "series", "found"."days" AS "days", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", count(*) FILTER (WHERE "active"."of_0") AS "days_0", count(*) FILTER (WHERE "active"."of_1") AS "days_1"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp") AS "bucket", max(COALESCE((("e"."event" = $4)), $5)) AS "of_0", max(COALESCE((("e"."event" = $6) AND (COALESCE((json_extract_string("e"."properties", $7) = $8), $5))), $5)) AS "of_1"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $2 AND (("e"."event" IN ($4, $6)) AND ((("e"."event" = $4)) OR (("e"."event" = $6) AND (COALESCE((json_extract_string("e"."properties", $7) = $8), $5)))) AND (("e"."timestamp" >= CAST($3 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($9 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest([CAST($1 AS BIGINT), CAST($2 AS BIGINT)]) AS "series", unnest(["per_actor"."days_0", "per_actor"."days_1"]) AS "days") AS "found"
WHERE ("found"."days" > CAST($1 AS BIGINT))
GROUP BY "found"."series", "found"."days"
ORDER BY "found"."series" ASC NULLS LAST, "found"."days" ASC NULLS LAST
-- [0,1,"2026-02-01 00:00:00.000000","$pageview",false,"bought","/plan","paid","2026-02-09 00:00:00.000000"]

SELECT CAST($1 AS BIGINT) AS "series", "per_actor"."days_0" AS "days", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", count(*) AS "days_0"
FROM (SELECT json_extract_string("e"."properties", $2) AS "actor_id", date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
WHERE "e"."project_id" = $4 AND ((("e"."event" = $5)) AND (("e"."timestamp" >= CAST($3 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($6 AS TIMESTAMP))) AND (NOT (json_extract_string("e"."properties", $2) IS NULL)) AND (json_extract_string("e"."properties", $2) != $7) AND TRUE)
GROUP BY json_extract_string("e"."properties", $2), date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
GROUP BY "per_actor"."days_0"
ORDER BY "per_actor"."days_0" ASC NULLS LAST
-- [0,"/$group_0","2026-02-01 00:00:00.000000",1,"bought","2026-02-09 00:00:00.000000",""]
