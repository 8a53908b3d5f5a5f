SELECT "t_active"."c_actor_id" AS "c_actor_id", [{p1:Int32}, toInt64(count() FILTER (WHERE ("t_active"."c_of_1" AND ("t_active"."c_bucket" = {p2:Int32}))))] AS "c_appearances", toInt64(count() FILTER (WHERE ("t_active"."c_of_1" AND ("t_active"."c_bucket" > {p1:Int32})))) AS "c_appearance_count"
FROM (SELECT coalesce("t_o"."person_id", "t_e"."person_id") AS "c_actor_id", dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC') AS "c_bucket", maxOrNull(coalesce(toBool((("t_e"."event" = {p4:String}))), {p5:Bool})) AS "c_of_0", maxOrNull(coalesce(toBool((("t_e"."event" = {p6:String}))), {p5:Bool})) AS "c_of_1"
FROM "events" AS "t_e" FINAL
LEFT JOIN (SELECT *
FROM "overrides" FINAL
WHERE "project_id" = {p1:Int32}) AS "t_o" ON ("t_o"."old_person_id" = "t_e"."person_id")
WHERE "t_e"."project_id" = {p1:Int32} AND (("t_e"."event" IN ({p4:String}, {p6:String})) AND ((("t_e"."event" = {p4:String})) OR (("t_e"."event" = {p6:String}))) AND ("t_e"."timestamp" < toDateTime64({p7:String}, 6, 'UTC')) AND ("t_e"."timestamp" >= toDateTime64({p3:String}, 6, 'UTC')) AND true)
GROUP BY coalesce("t_o"."person_id", "t_e"."person_id"), dateDiff('day', toDateTime64({p3:String}, 6, 'UTC'), "t_e"."timestamp", 'UTC')) AS "t_active"
GROUP BY "t_active"."c_actor_id"
HAVING (toInt64(count() FILTER (WHERE ("t_active"."c_of_0" AND ("t_active"."c_bucket" = {p1:Int32})))) > {p8:Int32})
-- [1,2,"2026-02-06 00:00:00.000000","signed up",false,"$pageview","2026-02-09 00:00:00.000000",0]
