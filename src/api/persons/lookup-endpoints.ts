/** The persons behind a part of an insight's answer, asked with the insight's parameters. */
import { z } from "zod"
import { listActors } from "../../analysis/actors.ts"
import { contextFor, type Desk, runPlan } from "../../analysis/desk.ts"
import { findInsight } from "../../analysis/kinds/insight-kinds.ts"
import type { ActorSource, Insight } from "../../insights/insight.ts"
import { invalid } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { findNameKeys, listPersonsByUuids } from "../../persons/store.ts"
import { inProject } from "../http/access.ts"
import { type Endpoint, endpoint } from "../http/endpoint.ts"
import { envelope, envelopeOf, type Page, parsePage } from "../http/paging.ts"
import { collection, personsCsv, streamTypes, tag } from "./reading.ts"
import { shownPerson } from "./rules.ts"
import { Person } from "./schema.ts"

const LOOKUP_PAGE_SIZE_MAX = 10_000

/** What each lookup is called, whose answer it looks into, and how it may be asked. */
const LOOKUPS = [
  { path: "funnel", kind: "FunnelsQuery", methods: ["GET", "POST"] },
  { path: "funnel/correlation", kind: "FunnelCorrelationQuery", methods: ["GET", "POST"] },
  { path: "path", kind: "PathsQuery", methods: ["GET", "POST"] },
  { path: "lifecycle", kind: "LifecycleQuery", methods: ["GET"] },
  { path: "retention", kind: "RetentionQuery", methods: ["GET"] },
  { path: "stickiness", kind: "StickinessQuery", methods: ["GET"] },
  { path: "trends", kind: "TrendsQuery", methods: ["GET"] },
] as const

const LookupPerson = z
  .looseObject({ ...Person.shape, appearances: z.array(z.int()).optional() })
  .meta({ id: "LookupPerson" })

/** Asked of groups instead of persons. */
const LookupGroup = z
  .looseObject({
    type: z.literal("group"),
    id: z.string(),
    group_key: z.string(),
    group_type_index: z.int(),
  })
  .meta({ id: "LookupGroup" })

const LookupPage = envelopeOf(z.union([LookupPerson, LookupGroup]))
  .extend({ missing_persons: z.int() })
  .meta({ id: "LookupPage" })

/** Objects and lists may come as JSON text. */
const Parameters = z
  .custom<JsonObject>(isJsonObject, "Expected an object of parameters.")
  .meta({ type: "object", additionalProperties: true })

export const personLookupEndpoints: readonly Endpoint[] = LOOKUPS.flatMap(
  ({ path, kind, methods }) => methods.map((method) => lookup({ path, kind, method })),
)

function lookup({ path, kind, method }: { path: string; kind: string; method: "GET" | "POST" }) {
  const name = path.replaceAll("/", "_")
  return endpoint({
    name: method === "GET" ? `persons_${name}_retrieve` : `persons_${name}_create`,
    method,
    path: `${collection}/${path}` as typeof collection,
    tag,
    summary: `List the persons behind a part of a ${path.replaceAll("/", " ")}.`,
    access: inProject(),
    scope: "person:read",
    readsOnly: true,
    query: Parameters,
    ...(method === "POST" ? { body: Parameters } : {}),
    reply: LookupPage,
    streamTypes,

    async handle({ services, project, query, body, address, whenGone }) {
      const parameters = parseParameters({ ...(body as JsonObject | undefined), ...query })
      const insight = findInsight(kind)
      if (insight === undefined) throw new Error(`there is no insight ${kind}`)
      const desk = await services.questions.desk({ project_id: project.id, signal: whenGone() })
      const source = await sourceOf(insight, parameters, desk)
      const page = pageOf(parameters)
      const { count, missing, rows } = await listActors(desk, source, {
        ...page,
        search: searchOf(parameters),
      })
      const results = await shownActors(desk, source, rows)
      if (parameters.format === "csv") return personsCsv(onePage(results as unknown as Person[]))
      const whole = method === "POST" ? withParameters(address, parameters) : address
      return { ...envelope({ count, results }, page, whole), missing_persons: missing }
    },
  })
}

async function sourceOf(
  insight: Insight<unknown, unknown>,
  parameters: JsonObject,
  desk: Desk,
): Promise<ActorSource> {
  const { asked, selected } = insight.parseLookup(parameters)
  const context = await contextFor(desk, parameters)
  return runPlan(insight.actors(asked, selected, context), desk)
}

/** Of the address first: a link to the next page says where to go on, whatever the body says. */
function pageOf(parameters: JsonObject): Page {
  const text = (value: JsonValue | undefined) => (typeof value === "number" ? String(value) : value)
  return parsePage(
    {
      limit: text(parameters.limit ?? parameters.funnel_correlation_person_limit),
      offset: text(parameters.offset ?? parameters.funnel_correlation_person_offset),
    },
    LOOKUP_PAGE_SIZE_MAX,
  )
}

/** Longer ones are refused by many a proxy; such a page is asked for by its body again. */
const ADDRESS_LENGTH_MAX = 8_000

/** A link to another page stands for itself, whatever was in the body. */
function withParameters(address: string, parameters: JsonObject): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) continue
    url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  return url.href.length > ADDRESS_LENGTH_MAX ? address : url.href
}

function searchOf({ search }: JsonObject): string | undefined {
  return typeof search === "string" && search !== "" ? search : undefined
}

function parseParameters(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, parseParameter(name, value)]),
  )
}

/** What looks like JSON is JSON, but for a text that may begin like it. */
function parseParameter(name: string, value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || name === "search") return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    throw invalid(`${name} is no valid JSON.`, name)
  }
}

type ActorRow = Readonly<Record<string, unknown>>

async function shownActors(
  { db, project }: Desk,
  { actor, extras }: ActorSource,
  rows: readonly ActorRow[],
): Promise<readonly z.output<typeof LookupPage>["results"][number][]> {
  const extrasOf = (row: ActorRow) => Object.fromEntries(extras.map((name) => [name, row[name]]))
  if (actor.kind === "group") {
    return rows.map((row) => ({
      type: "group" as const,
      id: String(row.actor_id),
      group_key: String(row.actor_id),
      group_type_index: actor.index,
      ...extrasOf(row),
    }))
  }
  const uuids = rows.map(({ actor_id }) => String(actor_id)).filter(isUuid)
  const nameKeys = await findNameKeys(db, project.id)
  const persons = await listPersonsByUuids(db, project.id, uuids)
  const byUuid = new Map(persons.map((person) => [person.uuid, shownPerson(person, nameKeys)]))
  return rows.flatMap((row) => {
    const person = byUuid.get(String(row.actor_id))
    return person === undefined ? [] : [{ ...person, ...extrasOf(row) }]
  })
}

async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
