SELECT "activity"."bucket" AS "bucket", CASE WHEN ("activity"."previous" = ("activity"."bucket" + CAST($1 AS BIGINT))) THEN $2 WHEN (("activity"."previous" = CAST($3 AS BIGINT)) AND ("activity"."created" = "activity"."bucket")) THEN $4 ELSE $5 END AS "status", ("activity"."next" = ("activity"."bucket" + CAST($6 AS BIGINT))) AS "is_followed", count(*) AS "actors"
FROM (SELECT "active"."actor_id" AS "actor_id", "active"."bucket" AS "bucket", lag("active"."bucket", CAST($6 AS BIGINT), CAST($3 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "previous", lead("active"."bucket", CAST($6 AS BIGINT), CAST($3 AS BIGINT)) OVER (PARTITION BY "active"."actor_id"
ORDER BY "active"."bucket" ASC NULLS LAST) AS "next", date_diff('month', CAST($7 AS TIMESTAMP), "g"."created_at") AS "created"
FROM (SELECT json_extract_string("e"."properties", $10) AS "actor_id", date_diff('month', CAST($7 AS TIMESTAMP), "e"."timestamp") AS "bucket"
FROM "events" AS "e"
WHERE "e"."project_id" = $6 AND ((("e"."event" = $11)) AND (("e"."timestamp" >= CAST($7 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($9 AS TIMESTAMP))) AND (NOT (json_extract_string("e"."properties", $10) IS NULL)) AND (json_extract_string("e"."properties", $10) != $12) AND TRUE)
GROUP BY json_extract_string("e"."properties", $10), date_diff('month', CAST($7 AS TIMESTAMP), "e"."timestamp")) AS "active"
LEFT JOIN "groups" AS "g" ON "g"."project_id" = $6 AND (("g"."group_type_index" = CAST($8 AS BIGINT)) AND ("g"."group_key" = "active"."actor_id") AND (("g"."created_at" >= CAST($7 AS TIMESTAMP)) AND ("g"."created_at" < CAST($9 AS TIMESTAMP))))) AS "activity"
GROUP BY "activity"."bucket", CASE WHEN ("activity"."previous" = ("activity"."bucket" + CAST($1 AS BIGINT))) THEN $2 WHEN (("activity"."previous" = CAST($3 AS BIGINT)) AND ("activity"."created" = "activity"."bucket")) THEN $4 ELSE $5 END, ("activity"."next" = ("activity"."bucket" + CAST($6 AS BIGINT)))
-- [-1,"returning",-2,"new","resurrecting",1,"2026-01-01 00:00:00.000000",0,"2026-03-01 00:00:00.000000","/$group_0","$pageview",""]
