SELECT "a_targets.target" AS "c_target", "a_marks.mark" AS "c_mark", toInt64(count()) AS "c_actors"
FROM (SELECT groupArray((("t_active"."c_bucket" * {p1:Int32}) + multiIf("t_active"."c_of_1", {p2:Int32}, {p3:Int32}))) AS "c_marks", groupArray("t_active"."c_bucket") FILTER (WHERE "t_active"."c_of_0") AS "c_targets"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", toInt64(floor(dateDiff('day', toDateTime64({p4:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') / 7)) AS "c_bucket", maxOrNull(coalesce(toBool((("t_e"."event" = {p5:String}))), {p6:Bool})) AS "c_of_0", maxOrNull(coalesce(toBool((("t_e"."event" = {p7:String}))), {p6:Bool})) AS "c_of_1"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p2:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p2:Int32} AND (("t_e"."event" IN ({p5:String}, {p7:String})) AND ((("t_e"."event" = {p5:String})) OR (("t_e"."event" = {p7:String}))) AND ("t_e"."timestamp" < toDateTime64({p8:String}, 6, 'UTC')) AND ("t_e"."timestamp" >= toDateTime64({p4:String}, 6, 'UTC')) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), toInt64(floor(dateDiff('day', toDateTime64({p4:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') / 7))) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
ARRAY JOIN "t_per_actor"."c_targets" AS "a_targets.target"
ARRAY JOIN "t_per_actor"."c_marks" AS "a_marks.mark"
WHERE ("a_marks.mark" >= ("a_targets.target" * {p1:Int32}))
GROUP BY "a_targets.target", "a_marks.mark"
ORDER BY "a_targets.target" ASC NULLS LAST, "a_marks.mark" ASC NULLS LAST
-- [2,1,0,"2025-11-24 00:00:00.000000","signed up",false,"$pageview","2026-02-09 00:00:00.000000"]
