SELECT "active"."actor_id" AS "actor_id", [CAST($1 AS BIGINT), count(*) FILTER (WHERE ("active"."of_1" AND ("active"."bucket" = CAST($2 AS BIGINT))))] AS "appearances", count(*) FILTER (WHERE ("active"."of_1" AND ("active"."bucket" > CAST($1 AS BIGINT)))) AS "appearance_count"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp") AS "bucket", max(COALESCE((("e"."event" = $4)), $5)) AS "of_0", max(COALESCE((("e"."event" = $6)), $5)) AS "of_1"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (("e"."event" IN ($4, $6)) AND ((("e"."event" = $4)) OR (("e"."event" = $6))) AND ("e"."timestamp" < CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" >= CAST($3 AS TIMESTAMP)) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp")) AS "active"
GROUP BY "active"."actor_id"
HAVING (count(*) FILTER (WHERE ("active"."of_0" AND ("active"."bucket" = CAST($1 AS BIGINT)))) > CAST($8 AS BIGINT))
-- [1,2,"2026-02-06 00:00:00.000000","signed up",false,"$pageview","2026-02-09 00:00:00.000000",0]
