SELECT "a_targets.target" AS "c_target", (("a_marks.mark" * {p1:Int32}) + {p2:Int32}) AS "c_mark", toInt64(count()) AS "c_actors"
FROM (SELECT groupArray("t_active"."c_bucket") AS "c_marks"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p2:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p2:Int32} AND ((("t_e"."event" = {p4:String})) AND ("t_e"."timestamp" < toDateTime64({p5:String}, 6, 'UTC')) AND ("t_e"."timestamp" >= toDateTime64({p3:String}, 6, 'UTC')) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id") AS "t_per_actor"
ARRAY JOIN "t_per_actor"."c_marks" AS "a_targets.target"
ARRAY JOIN "t_per_actor"."c_marks" AS "a_marks.mark"
WHERE ("a_marks.mark" >= "a_targets.target")
GROUP BY "a_targets.target", "a_marks.mark"
ORDER BY "a_targets.target" ASC NULLS LAST, "a_marks.mark" ASC NULLS LAST
-- [2,1,"2026-01-29 00:00:00.000000","$pageview","2026-02-09 00:00:00.000000"]
