import { z } from "zod"
import { CSV_TYPE, csvChunks } from "../../lib/csv.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import type { Services } from "../http/services.ts"
import { StreamedReply } from "../http/streamed.ts"
import { nextAddress } from "./cursor.ts"
import { type EventRead, findEvent, listEventPersons, listKeys, readEvents } from "./pages.ts"
import { parseSearch, shownEvent } from "./rules.ts"
import {
  Event,
  EventPage,
  EventQuery,
  EventValue,
  type Expanded,
  OneEventQuery,
  SelectedPage,
  ValuesQuery,
} from "./schema.ts"
import { listSelected } from "./selected.ts"
import { getProjectSettings, matchingOf, type Stores } from "./store.ts"
import { listCustomEvents, listEventValues } from "./values.ts"

const tag = "Events"
const collection = "/api/projects/:project_id/events"
const streamTypes = ["text/csv"]

const list = endpoint({
  name: "events_list",
  method: "GET",
  path: collection,
  tag,
  summary: "List events, newest first.",
  access: inProject(),
  scope: "query:read",
  query: EventQuery,
  reply: z.union([EventPage, SelectedPage]),
  streamTypes,

  async handle({ db, services, project, query, now, address, whenGone }) {
    const settings = await getProjectSettings(db, project.id)
    const search = parseSearch(query, { now, timezone: settings.timezone })
    if (query.select !== undefined) {
      const desk = await services.questions.desk({ project_id: project.id, signal: whenGone() })
      const selected = await listSelected(desk, { query, search }, address)
      return query.format === "csv" ? selectedCsv(selected) : selected
    }
    const stores = storesOf(db, services)
    const matching = await matchingOf(stores, settings, search)
    const found = matching === undefined ? [] : await listKeys(stores, matching, search)
    const keys = found.slice(0, search.limit)
    const parts =
      matching === undefined ? noEvents() : readEvents(stores, { matching, search }, keys)
    const pages = shownPages(parts, query.expand)
    if (query.format === "csv") return eventsCsv(pages)
    const results: Event[] = []
    for await (const shown of pages) results.push(...shown)
    const last = found.length > keys.length ? keys.at(-1) : undefined
    const next = last && nextAddress(address, { ...last, now: search.now })
    return { next: next ?? null, results }
  },
})

const retrieve = endpoint({
  name: "events_retrieve",
  method: "GET",
  path: `${collection}/:id`,
  tag,
  summary: "Get one event.",
  access: inProject(),
  scope: "query:read",
  query: OneEventQuery,
  reply: Event,
  streamTypes,

  async load({ db, services, project, params: { id } }) {
    if (!isUuid(id)) throw invalid(`"${id}" is no event id: expected a UUID.`, null, "invalid")
    const event = await findEvent(storesOf(db, services), project.id, id.toLowerCase())
    if (event === undefined) throw notFound(`There is no event with the UUID ${id}.`)
    return event
  },

  async handle({ db, project, query, loaded }) {
    const isWithPerson = query.include_person || query.expand.has("person")
    const persons = isWithPerson ? await listEventPersons(db, project.id, [loaded]) : undefined
    const event = shownEvent(loaded, persons?.get(loaded.person_id), query.expand)
    return query.format === "csv" ? eventsCsv(onePage([event])) : event
  },
})

const values = endpoint({
  name: "events_values",
  method: "GET",
  path: `${collection}/values`,
  tag,
  summary: "List the most frequent values of an event property in the last seven days.",
  access: inProject(),
  scope: "query:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: ValuesQuery,
  reply: envelopeOf(EventValue),
  streamTypes,

  async handle({ db, services, project, query, now, page, paginate }) {
    const { key = "", eventNames } = query
    const filter = { project_id: project.id, now, key, part: query.value || undefined, eventNames }
    const stores = storesOf(db, services)
    const all = await (key === ""
      ? []
      : key === "custom_event"
        ? listCustomEvents(stores, filter)
        : listEventValues(stores, filter))
    if (query.format === "csv") return valuesCsv(all)
    const results = all.slice(page.offset, page.offset + page.limit)
    return paginate({ count: all.length, results })
  },
})

export const eventEndpoints = [list, values, retrieve]

function storesOf(db: Db, { columnar, config }: Services): Stores {
  return { db, columnar, limits: { timeoutMs: config.query.timeoutMs } }
}

async function* shownPages(
  parts: AsyncIterable<readonly EventRead[]>,
  expanded: Expanded,
): AsyncGenerator<readonly Event[]> {
  for await (const part of parts) {
    yield part.map(({ event, person }) => shownEvent(event, person, expanded))
  }
}

async function* noEvents(): AsyncGenerator<readonly EventRead[]> {}

async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}

const CSV_COLUMNS = [
  ...["id", "event", "timestamp", "distinct_id", "person", "properties", "elements"],
  "elements_chain",
] as (keyof Event)[]

function eventsCsv(pages: AsyncIterable<readonly Event[]>): StreamedReply {
  return new StreamedReply(CSV_TYPE, csvChunks(CSV_COLUMNS, withoutNulls(pages)))
}

/** A cell that nobody is in is empty. */
async function* withoutNulls(pages: AsyncIterable<readonly Event[]>) {
  for await (const page of pages) {
    yield page.map((event) => (event.person === "null" ? { ...event, person: null } : event))
  }
}

function selectedCsv({ columns, results }: z.output<typeof SelectedPage>): StreamedReply {
  const rows = results.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  return new StreamedReply(CSV_TYPE, csvChunks(columns, onePage(rows)))
}

function valuesCsv(all: readonly EventValue[]): StreamedReply {
  return new StreamedReply(CSV_TYPE, csvChunks(["name", "count"], onePage(all)))
}
