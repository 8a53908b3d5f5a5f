import { ActivityEntry } from "../activity-log/schema.ts"
import { listActivity } from "../activity-log/store.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { type Envelope, envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import type { Writing } from "./activity.ts"
import { numberedEnvelope, type PageSource, pageOf } from "./numbered-pages.ts"
import {
  collection,
  loadPerson,
  personPath,
  rowsCsv,
  showPerson,
  streamTypes,
  tag,
} from "./reading.ts"
import { ActivityQuery, PersonActivity } from "./schema.ts"

const reading = {
  method: "GET",
  tag,
  access: inProject(),
  scope: "activity_log:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: ActivityQuery,
  streamTypes,
} as const

const activityOfAll = endpoint({
  ...reading,
  name: "persons_activity",
  path: `${collection}/activity`,
  summary: "List what was changed about persons, deleted ones included, newest first.",
  reply: envelopeOf(ActivityEntry),

  async handle(context) {
    const entries = await listEntries(context, context)
    return context.query.format === "csv" ? entriesCsv(entries.results) : entries
  },
})

const activityOfOne = endpoint({
  ...reading,
  name: "persons_activity_of_one",
  path: `${personPath}/activity`,
  summary: "A person with what was changed about it, newest first.",
  reply: PersonActivity,
  load: loadPerson,

  async handle({ loaded: person, ...context }) {
    const entries = await listEntries(context, context, String(person.id))
    if (context.query.format === "csv") return entriesCsv(entries.results)
    return { ...(await showPerson(context.db, person)), ...entries }
  },
})

export const personActivityEndpoints = [activityOfAll, activityOfOne]

type Seeing = Pick<Writing, "db" | "caller" | "project"> & {
  readonly organization: { readonly id: string; readonly level: number }
}

async function listEntries(
  { db, caller, organization, project }: Seeing,
  source: PageSource,
  itemId?: string,
): Promise<Envelope<ActivityEntry>> {
  const filter = {
    organization_id: organization.id,
    project_id: project.id,
    scopes: ["Person"],
    item_id: itemId,
    seer: { user_id: caller.user.id, level: organization.level },
  }
  return numberedEnvelope(await listActivity(db, filter, pageOf(source)), source)
}

const ENTRY_COLUMNS = [
  ...(["id", "created_at", "user", "is_system", "activity"] as const),
  ...(["scope", "item_id", "detail"] as const),
]

function entriesCsv(entries: readonly ActivityEntry[]) {
  return rowsCsv(ENTRY_COLUMNS, entries)
}
