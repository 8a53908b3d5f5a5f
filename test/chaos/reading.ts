/** Everything that is stored, read over the API. */
import type { JsonObject } from "../../src/lib/json.ts"
import { askAll, type Instance } from "../support/instance.ts"

export interface FoundEvent {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonObject
}

export interface FoundPerson {
  readonly uuid: string
  readonly distinct_ids: readonly string[]
  readonly is_identified: boolean
  readonly created_at: string
  readonly properties: JsonObject
}

const EVENTS_PER_PAGE = 5_000
const PERSONS_PER_PAGE = 1_000

const project = "/api/projects/@current"

export async function readEvents(instance: Instance, filter = ""): Promise<FoundEvent[]> {
  const query = `limit=${EVENTS_PER_PAGE}&expand=properties${filter}`
  return (await askAll(instance, `${project}/events?${query}`)) as FoundEvent[]
}

export async function readPersons(instance: Instance, filter = ""): Promise<FoundPerson[]> {
  const query = `limit=${PERSONS_PER_PAGE}${filter}`
  return (await askAll(instance, `${project}/persons?${query}`)) as FoundPerson[]
}

/** Those that have the property with this value, as a filter finds them: in the columnar copies. */
export function readPersonsWith(
  instance: Instance,
  key: string,
  value: number,
): Promise<FoundPerson[]> {
  const filter = [{ type: "person", key, operator: "exact", value: [value] }]
  return readPersons(instance, `&properties=${encodeURIComponent(JSON.stringify(filter))}`)
}
