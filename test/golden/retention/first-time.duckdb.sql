SELECT "per_actor"."first" AS "target", "marks"."mark" AS "mark", count(*) AS "actors"
FROM (SELECT COALESCE(list((("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN "active"."of_1" THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END)) FILTER (WHERE (("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN "active"."of_1" THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END) IS NOT NULL), []) AS "marks", min("active"."bucket") FILTER (WHERE "active"."of_0") AS "first"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", greatest(date_diff('day', CAST($4 AS TIMESTAMP), "e"."timestamp"), CAST($5 AS BIGINT)) AS "bucket", max(COALESCE((("e"."event" = $6)), $7)) AS "of_0", max(COALESCE((("e"."event" = $8)), $7)) AS "of_1"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $2 AND (("e"."event" IN ($6, $8)) AND ((("e"."event" = $6)) OR (("e"."event" = $8))) AND ("e"."timestamp" < CAST($9 AS TIMESTAMP)) AND (("e"."timestamp" >= CAST($4 AS TIMESTAMP)) OR (("e"."event" = $6))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), greatest(date_diff('day', CAST($4 AS TIMESTAMP), "e"."timestamp"), CAST($5 AS BIGINT))) AS "active"
GROUP BY "active"."actor_id"
HAVING (min("active"."bucket") FILTER (WHERE "active"."of_0") >= CAST($3 AS BIGINT))) AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "mark") AS "marks"
WHERE ("marks"."mark" >= ("per_actor"."first" * CAST($1 AS BIGINT)))
GROUP BY "per_actor"."first", "marks"."mark"
ORDER BY "per_actor"."first" ASC NULLS LAST, "marks"."mark" ASC NULLS LAST
-- [2,1,0,"2026-01-29 00:00:00.000000",-1,"signed up",false,"$pageview","2026-02-09 00:00:00.000000"]
