import { getProjectSettings, isEventOf } from "../events/store.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { loadPerson, personPath, rowsCsv, showPerson, streamTypes, tag } from "./reading.ts"
import { findEarliest, listPoints } from "./timeline-points.ts"
import { parseRange, shownTime } from "./timeline-range.ts"
import { PersonTimeline, TimelineQuery } from "./timeline-schema.ts"
import { parseSubject } from "./timeline-subject.ts"

const timeline = endpoint({
  name: "persons_properties_timeline",
  method: "GET",
  path: `${personPath}/properties_timeline`,
  tag,
  summary: "Show how the properties of a person changed from event to event.",
  access: inProject(),
  scope: "person:read",
  query: TimelineQuery,
  reply: PersonTimeline,
  streamTypes,
  load: loadPerson,

  async handle({ db, services, project, query, now, loaded: person }) {
    const subject = parseSubject(query)
    const { columnar, config } = services
    const limits = { timeoutMs: config.query.timeoutMs }
    const parts = { columnar, limits, project_id: project.id }
    const { timezone } = await getProjectSettings(db, project.id)
    const range = parseRange(query, { now, timezone }, await findEarliest(parts, query, now))
    const isOfPerson = await isEventOf(parts, person)
    const points = await listPoints(parts, { ...subject, ...range, isOfPerson })
    if (query.format === "csv") return rowsCsv(POINT_COLUMNS, points)
    return {
      ...(await showPerson(db, person)),
      points,
      crucial_property_keys: [...subject.crucialKeys],
      effective_date_from: shownTime(range.from),
      effective_date_to: shownTime(range.to),
    }
  },
})

const POINT_COLUMNS = ["timestamp", "relevant_event_count", "properties"] as const

export const personTimelineEndpoints = [timeline]
