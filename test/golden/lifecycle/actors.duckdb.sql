SELECT "activity"."actor_id" AS "actor_id"
FROM (SELECT "active"."actor_id" AS "actor_id", "active"."bucket" AS "bucket", lag("active"."bucket", CAST($1 AS BIGINT), CAST($2 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "previous", lead("active"."bucket", CAST($1 AS BIGINT), CAST($2 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "next", date_diff('day', CAST($3 AS TIMESTAMP), "p"."created_at") AS "created"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $5)) AND (("e"."timestamp" >= CAST($3 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($4 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), date_diff('day', CAST($3 AS TIMESTAMP), "e"."timestamp")) AS "active"
LEFT JOIN "persons" AS "p" ON "p"."project_id" = $1 AND (("p"."uuid" = "active"."actor_id") AND (("p"."created_at" >= CAST($3 AS TIMESTAMP)) AND ("p"."created_at" < CAST($4 AS TIMESTAMP))))) AS "activity"
WHERE (("activity"."bucket" = CAST($6 AS BIGINT)) AND (NOT ("activity"."next" = ("activity"."bucket" + CAST($1 AS BIGINT)))))
-- [1,-2,"2026-01-31 00:00:00.000000","2026-02-09 00:00:00.000000","$pageview",2]
