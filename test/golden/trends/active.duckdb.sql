SELECT "edges"."at" AS "bucket", sum("edges"."step") AS "m0"
FROM (SELECT greatest("r"."start", CAST($3 AS BIGINT)) AS "start", least("r"."stop", COALESCE(lead("r"."start") OVER (PARTITION BY "r"."actor"
ORDER BY "r"."start" ASC NULLS LAST, "r"."stop" ASC NULLS LAST), "r"."stop"), CAST($4 AS BIGINT)) AS "stop"
FROM (SELECT DISTINCT COALESCE("o"."person_id", "e"."person_id") AS "actor", (date_diff('day', CAST($5 AS TIMESTAMP), (CASE WHEN ("e"."timestamp" < CAST($6 AS TIMESTAMP)) THEN ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($7 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) ELSE ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($8 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) END + to_microseconds(CAST(CAST($9 AS DOUBLE) * 1000000 AS BIGINT)))) + CAST($1 AS BIGINT)) AS "start", (date_diff('day', CAST($5 AS TIMESTAMP), (CASE WHEN ("e"."timestamp" < CAST($6 AS TIMESTAMP)) THEN ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($7 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) ELSE ("e"."timestamp" + to_microseconds(CAST(CAST(CAST($8 AS BIGINT) AS DOUBLE) * 1000000 AS BIGINT))) END + to_microseconds(CAST(CAST($10 AS DOUBLE) * 1000000 AS BIGINT)))) + CAST($1 AS BIGINT)) AS "stop"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND ((("e"."event" = $11)) AND (("e"."timestamp" > CAST($12 AS TIMESTAMP)) AND ("e"."timestamp" <= CAST($13 AS TIMESTAMP))) AND TRUE)) AS "r") AS "c"
CROSS JOIN LATERAL (SELECT unnest(["c"."start", "c"."stop"]) AS "at", unnest([CAST($1 AS BIGINT), CAST($2 AS BIGINT)]) AS "step") AS "edges"
WHERE (("c"."start" < "c"."stop") AND ("edges"."at" < CAST($4 AS BIGINT)))
GROUP BY "edges"."at"
-- [1,-1,0,20,"2026-03-01 00:00:00.000000","2026-03-08 07:00:00.000000",-18000,-14400,-86400.000001,518399.999999,"view","2026-02-23 05:00:00.000000","2026-03-21 03:59:59.999999"]
