SELECT (CAST(("e"."position" - CAST($1 AS BIGINT)) AS VARCHAR) || $2 || "e"."previous_item") AS "source", (CAST("e"."position" AS VARCHAR) || $2 || "e"."item") AS "target", "e"."value" AS "value", "e"."microseconds" AS "microseconds"
FROM (SELECT "t"."position" AS "position", "t"."previous_item" AS "previous_item", "t"."item" AS "item", count(*) AS "value", sum(round(((date_sub('microsecond', "t"."previous_at", "t"."at") / 1000000) * CAST($3 AS BIGINT)), TRY_CAST(CAST($4 AS BIGINT) AS INTEGER))) AS "microseconds"
FROM (SELECT "t"."actor_id" AS "actor_id", "t"."path" AS "path", "t"."item" AS "item", "t"."at" AS "at", "t"."position" AS "position", "t"."previous_item" AS "previous_item", "t"."previous_at" AS "previous_at"
FROM (SELECT "s"."actor_id" AS "actor_id", "s"."path" AS "path", "s"."item" AS "item", "s"."at" AS "at", row_number() OVER (PARTITION BY "s"."actor_id", "s"."path"
ORDER BY "s"."place" ASC NULLS LAST) AS "position", lag("s"."item") OVER (PARTITION BY "s"."actor_id", "s"."path"
ORDER BY "s"."place" ASC NULLS LAST) AS "previous_item", lag("s"."at") OVER (PARTITION BY "s"."actor_id", "s"."path"
ORDER BY "s"."place" ASC NULLS LAST) AS "previous_at"
FROM (SELECT "n"."actor_id" AS "actor_id", "n"."at" AS "at", "n"."place" AS "place", "n"."item" AS "item", COALESCE(sum(CASE WHEN (("n"."next_at" IS NULL) OR ((date_sub('microsecond', "n"."at", "n"."next_at") / 1000000) >= CAST($5 AS BIGINT))) THEN CAST($1 AS BIGINT) ELSE CAST($4 AS BIGINT) END) OVER (PARTITION BY "n"."actor_id"
ORDER BY "n"."place" ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), CAST($4 AS BIGINT)) AS "path"
FROM (SELECT "i"."actor_id" AS "actor_id", "i"."at" AS "at", "i"."item" AS "item", row_number() OVER (PARTITION BY "i"."actor_id"
ORDER BY "i"."at" ASC NULLS LAST, "i"."uuid" ASC NULLS LAST) AS "place", lead("i"."at") OVER (PARTITION BY "i"."actor_id"
ORDER BY "i"."at" ASC NULLS LAST, "i"."uuid" ASC NULLS LAST) AS "next_at", lead("i"."item") OVER (PARTITION BY "i"."actor_id"
ORDER BY "i"."at" ASC NULLS LAST, "i"."uuid" ASC NULLS LAST) AS "next_item"
FROM (SELECT "r"."actor_id" AS "actor_id", "r"."at" AS "at", "r"."uuid" AS "uuid", COALESCE(CASE WHEN (suffix("r"."shown", $6) AND ("r"."shown" != $6)) THEN regexp_replace("r"."shown", $8, replace($7, '\', '\\'), 'g') ELSE "r"."shown" END, $7) AS "item"
FROM (SELECT COALESCE("o"."person_id", "e"."person_id") AS "actor_id", "e"."timestamp" AS "at", CAST("e"."uuid" AS VARCHAR) AS "uuid", "e"."p_3" AS "shown"
FROM "events" AS "e"
LEFT JOIN "overrides" AS "o" ON "o"."project_id" = $1 AND ("o"."old_person_id" = "e"."person_id")
WHERE "e"."project_id" = $1 AND (("e"."event" = $9) AND ((("e"."timestamp" >= CAST($10 AS TIMESTAMP)) AND ("e"."timestamp" < CAST($11 AS TIMESTAMP))) AND TRUE))) AS "r") AS "i") AS "n"
WHERE ((("n"."next_at" IS NULL) OR ((date_sub('microsecond', "n"."at", "n"."next_at") / 1000000) >= CAST($5 AS BIGINT))) OR ("n"."next_item" != "n"."item"))) AS "s") AS "t"
WHERE ("t"."position" <= CAST($12 AS BIGINT))) AS "t"
WHERE (NOT ("t"."previous_item" IS NULL))
GROUP BY "t"."position", "t"."previous_item", "t"."item") AS "e"
ORDER BY "e"."value" DESC NULLS LAST, (CAST(("e"."position" - CAST($1 AS BIGINT)) AS VARCHAR) || $2 || "e"."previous_item") ASC NULLS LAST, (CAST("e"."position" AS VARCHAR) || $2 || "e"."item") ASC NULLS LAST LIMIT $13
-- [1,"_",1000000,0,1800,"/","","/$","$pageview","2026-03-01 05:00:00.000000","2026-03-08 05:00:00.000000",5,50]
