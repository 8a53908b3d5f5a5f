SELECT "targets"."target" AS "target", "marks"."mark" AS "mark", count(*) AS "actors"
FROM (SELECT COALESCE(list((("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN "active"."of_1" THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END)) FILTER (WHERE (("active"."bucket" * CAST($1 AS BIGINT)) + CASE WHEN "active"."of_1" THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END) IS NOT NULL), []) AS "marks", COALESCE(list("active"."bucket") FILTER (WHERE "active"."bucket" IS NOT NULL AND "active"."of_0"), []) AS "targets"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", CAST(floor(date_diff('day', CAST($4 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER) AS "bucket", max(COALESCE((("e"."event" = $5)), $6)) AS "of_0", max(COALESCE((("e"."event" = $7)), $6)) AS "of_1"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $2 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $2 AND (("e"."event" IN ($5, $7)) AND ((("e"."event" = $5)) OR (("e"."event" = $7))) AND ("e"."timestamp" < CAST($8 AS TIMESTAMP)) AND ("e"."timestamp" >= CAST($4 AS TIMESTAMP)) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), CAST(floor(date_diff('day', CAST($4 AS TIMESTAMP), "e"."timestamp") / 7) AS INTEGER)) AS "active"
GROUP BY "active"."actor_id") AS "per_actor"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."targets") AS "target") AS "targets"
CROSS JOIN LATERAL (SELECT unnest("per_actor"."marks") AS "mark") AS "marks"
WHERE ("marks"."mark" >= ("targets"."target" * CAST($1 AS BIGINT)))
GROUP BY "targets"."target", "marks"."mark"
ORDER BY "targets"."target" ASC NULLS LAST, "marks"."mark" ASC NULLS LAST
-- [2,1,0,"2025-11-24 00:00:00.000000","signed up",false,"$pageview","2026-02-09 00:00:00.000000"]
