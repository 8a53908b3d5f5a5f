SELECT "activity"."bucket" AS "bucket", CASE WHEN ("activity"."previous" = ("activity"."bucket" + CAST($1 AS BIGINT))) THEN $2 WHEN (("activity"."previous" = CAST($3 AS BIGINT)) AND ("activity"."created" = "activity"."bucket")) THEN $4 ELSE $5 END AS "status", ("activity"."next" = ("activity"."bucket" + CAST($6 AS BIGINT))) AS "is_followed", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", "active"."bucket" AS "bucket", lag("active"."bucket", CAST($6 AS BIGINT), CAST($3 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "previous", lead("active"."bucket", CAST($6 AS BIGINT), CAST($3 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "next", CAST(floor(date_diff('day', CAST($7 AS TIMESTAMP), ("p"."created_at" + to_microseconds(CAST(CAST(CAST($8 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) / 7) AS INTEGER) AS "created"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", CAST(floor(date_diff('day', CAST($7 AS TIMESTAMP), ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($8 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) / 7) AS INTEGER) AS "bucket"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $6 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $6 AND ((("e"."event" = $11)) AND (("e"."timestamp" >= CAST($9 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($10 AS TIMESTAMP))) AND TRUE)
GROUP BY COALESCE("o"."person_id", "e"."person_id"), CAST(floor(date_diff('day', CAST($7 AS TIMESTAMP), ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($8 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT)))) / 7) AS INTEGER)) AS "active"
LEFT JOIN "persons" AS "p" ON "p"."project_id" = $6 AND (("p"."uuid" = "active"."actor_id") AND (("p"."created_at" >= CAST($9 AS TIMESTAMP)) AND ("p"."created_at" < CAST($10 AS TIMESTAMP))))) AS "activity"
GROUP BY "activity"."bucket", CASE WHEN ("activity"."previous" = ("activity"."bucket" + CAST($1 AS BIGINT))) THEN $2 WHEN (("activity"."previous" = CAST($3 AS BIGINT)) AND ("activity"."created" = "activity"."bucket")) THEN $4 ELSE $5 END, ("activity"."next" = ("activity"."bucket" + CAST($6 AS BIGINT)))
-- [-1,"returning",-2,"new","resurrecting",1,"2026-01-19 00:00:00.000000",-18000,"2026-01-19 05:00:00.000000","2026-02-09 05:00:00.000000","$pageview"]
