/** Made-up data sent in as an SDK would send it, and questions about it over HTTP. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { CapturedEvent, TestApp } from "../support/app.ts"
import type { Answer } from "../support/client.ts"
import type { InsightData } from "../support/insight-store.ts"

export interface CapturedProject {
  readonly query: (query: JsonObject) => Promise<Answer>
  /** "lifecycle", with its parameters as an address has them. */
  readonly lookup: (name: string, parameters: JsonObject) => Promise<Answer>
  /** A link of an answer. */
  readonly get: (url: string) => Promise<Answer>
}

export interface CaptureSettings {
  readonly test_account_filters?: readonly JsonObject[]
  readonly path_cleaning_filters?: readonly JsonObject[]
  readonly timezone?: string
}

export async function captureData(
  testApp: TestApp,
  data: InsightData,
  settings: CaptureSettings = {},
): Promise<CapturedProject> {
  const { project, owner } = await testApp.addOrganization()
  const url = `/api/projects/${project.id}`
  if (Object.keys(settings).length > 0) {
    const changed = await testApp.patch(url, owner.key, settings)
    if (changed.status !== 200) throw new Error(changed.text)
  }
  if (data.events.length > 0) await testApp.capture(project, eventsOf(data))
  return {
    query: (query) => testApp.post(`${url}/query`, owner.key, { query }),
    lookup: (name, parameters) =>
      testApp.get(`${url}/persons/${name}?${addressOf(parameters)}`, owner.key),
    get: (address) => testApp.get(address.replace(/^https?:\/\/[^/]+/, ""), owner.key),
  }
}

/** Lists and objects are JSON text in an address. */
function addressOf(parameters: JsonObject): URLSearchParams {
  return new URLSearchParams(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
  )
}

/** A person is there since its first event: those created at another time do something else first. */
function eventsOf({ events, persons = [] }: InsightData): readonly CapturedEvent[] {
  const propertiesOf = new Map(persons.map(({ name, properties }) => [name, properties ?? {}]))
  const creations = persons.flatMap(({ name, created_at }) =>
    created_at === undefined
      ? []
      : [{ event: "created", distinct_id: name, timestamp: created_at }],
  )
  const otherIds = new Map(
    events.flatMap(({ person, distinct_id, at }) =>
      distinct_id === undefined || distinct_id === person ? [] : [[distinct_id, { person, at }]],
    ),
  )
  const aliases = [...otherIds].map(([alias, { person, at }]) => ({
    event: "$create_alias",
    distinct_id: person,
    timestamp: at,
    properties: { alias },
  }))
  const own = [...events]
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map((event) => ({
      event: event.event,
      distinct_id: event.distinct_id ?? event.person,
      timestamp: event.at,
      properties: { ...event.properties },
      $set: { ...propertiesOf.get(event.person) },
    }))
  const [first, ...later] = own
  return [...creations, ...(first === undefined ? [] : [first]), ...aliases, ...later]
}
