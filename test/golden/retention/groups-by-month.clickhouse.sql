SELECT "a_targets.target" AS "c_target", (("a_marks.mark" * {p1:Int32}) + {p2:Int32}) AS "c_mark", toInt64(count()) AS "c_actors"
FROM (SELECT groupArray("t_active"."c_bucket") AS "c_marks"
FROM (SELECT multiIf("t_e"."properties"[{p3:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p3:String}], '"'), substring("t_e"."properties"[{p3:String}], 2), "t_e"."properties"[{p3:String}]) AS "c_actor_id", dateDiff('month', toDateTime64({p4:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket"
FROM "events" AS "t_e" FINAL
WHERE "t_e"."project_id" = {p2:Int32} AND ((("t_e"."event" = {p5:String})) AND ("t_e"."timestamp" < toDateTime64({p6:String}, 6, 'UTC')) AND ("t_e"."timestamp" >= toDateTime64({p4:String}, 6, 'UTC')) AND (NOT isNull(multiIf("t_e"."properties"[{p3:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p3:String}], '"'), substring("t_e"."properties"[{p3:String}], 2), "t_e"."properties"[{p3:String}]))) AND (multiIf("t_e"."properties"[{p3:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p3:String}], '"'), substring("t_e"."properties"[{p3:String}], 2), "t_e"."properties"[{p3:String}]) != {p7:String}) AND true)
GROUP BY multiIf("t_e"."properties"[{p3:String}] IN ('', 'null'), NULL, startsWith("t_e"."properties"[{p3:String}], '"'), substring("t_e"."properties"[{p3:String}], 2), "t_e"."properties"[{p3:String}]), dateDiff('month', toDateTime64({p4:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
ARRAY JOIN "t_per_actor"."c_marks" AS "a_targets.target"
ARRAY JOIN "t_per_actor"."c_marks" AS "a_marks.mark"
WHERE ("a_marks.mark" >= "a_targets.target")
GROUP BY "a_targets.target", "a_marks.mark"
ORDER BY "a_targets.target" ASC NULLS LAST, "a_marks.mark" ASC NULLS LAST
-- [2,1,"$group_0","2025-04-01 00:00:00.000000","$pageview","2026-03-01 00:00:00.000000",""]
