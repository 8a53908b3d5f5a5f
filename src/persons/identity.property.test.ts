/**
 * Any sequence of events, cut into any batches, ends where a deliberately simple model says: it goes event by
 * event, knows neither batches nor uuids nor overrides, and moves whole lists of events from person to person.
 */
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  firstUuid,
  PersonsInMemory,
  type StoredEvent,
} from "../../test/support/persons-in-memory.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"
import type { IdentityEvent } from "./identity.ts"

interface ModelPerson {
  ids: string[]
  isIdentified: boolean
  createdAt: string
  properties: JsonObject
  events: number[]
}

class Model {
  persons: ModelPerson[] = []
  /** Personless events of ids that belong to nobody. */
  homeless = new Map<string, number[]>()
  statesSeen: (JsonObject | null)[] = []

  add(event: IdentityEvent, index: number): void {
    const mine = `${event.project_id}:${event.distinct_id}`
    if (event.is_personless) {
      this.statesSeen.push(null)
      const owner = this.owner(mine)
      if (owner !== undefined) owner.events.push(index)
      else this.homeless.set(mine, [...(this.homeless.get(mine) ?? []), index])
      return
    }
    const other = event.properties.alias ?? event.properties.$anon_distinct_id
    if (typeof other === "string") this.merge(event, mine, `${event.project_id}:${other}`)
    const person = this.owner(mine) ?? this.create(event, mine)
    person.events.push(index)
    person.properties = after(person.properties, event)
    this.statesSeen.push(person.properties)
  }

  owner(id: string): ModelPerson | undefined {
    return this.persons.find((person) => person.ids.includes(id))
  }

  create(event: IdentityEvent, id: string): ModelPerson {
    const properties = { $creator_event_uuid: event.uuid }
    const person = {
      ids: [],
      isIdentified: false,
      createdAt: event.timestamp,
      properties,
      events: [],
    }
    this.persons.push(person)
    this.give(id, person)
    return person
  }

  give(id: string, person: ModelPerson): void {
    person.ids.push(id)
    person.events.push(...(this.homeless.get(id) ?? []))
    this.homeless.delete(id)
  }

  merge(event: IdentityEvent, mine: string, theirs: string): void {
    if (mine.endsWith(":null") || theirs.endsWith(":null") || mine === theirs) return
    const other = this.owner(theirs)
    const own = this.owner(mine)
    if (own === undefined && other !== undefined) this.give(mine, other)
    const into = this.owner(mine) ?? this.create(event, mine)
    if (other === undefined) this.give(theirs, into)
    const isRefused = other?.isIdentified && event.event !== "$merge_dangerously"
    if (other !== undefined && other !== into && !isRefused) {
      this.persons = this.persons.filter((person) => person !== other)
      into.ids.push(...other.ids)
      into.events.push(...other.events)
      into.properties = { ...other.properties, ...into.properties }
      if (other.createdAt < into.createdAt) into.createdAt = other.createdAt
    }
    into.isIdentified = true
  }
}

function after(before: JsonObject, event: IdentityEvent): JsonObject {
  if (event.event === "$exception") return before
  const { $browser, $set, $set_once, $unset } = event.properties
  const automatic = $browser === undefined ? {} : { $browser }
  const initial = $browser === undefined ? {} : { $initial_browser: $browser }
  const set = { ...automatic, ...($set as JsonObject | undefined) }
  const result: Record<string, JsonValue> = {
    ...initial,
    ...($set_once as JsonObject | undefined),
    ...before,
    ...set,
  }
  for (const key of ($unset as string[] | undefined) ?? []) delete result[key]
  const keys = Object.keys({ ...before, ...result })
  const changed = keys.filter((key) => before[key] !== result[key])
  const isOnlyBrowser = changed.every((key) => key === "$browser" && key in before && key in result)
  const isAboutPerson = ["$identify", "$create_alias", "$merge_dangerously", "$set"]
  return isOnlyBrowser && !isAboutPerson.includes(event.event) ? before : result
}

const id = fc.constantFrom("a", "b", "c", "d", "e", "null")
const values = fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom(1, 2), { maxKeys: 2 })
const properties = fc.record(
  {
    $browser: fc.constantFrom("Chrome", "Firefox"),
    $set: values,
    $set_once: values,
    $unset: fc.subarray(["x", "y", "$browser"]),
  },
  { requiredKeys: [] },
)
const kinds = [
  ...["plain", "plain", "$set", "$exception", "personless"],
  ...["$identify", "$identify", "$create_alias", "$merge_dangerously"],
]

const event = fc
  .record({
    id,
    other: fc.option(id, { nil: undefined }),
    kind: fc.constantFrom(...kinds),
    project_id: fc.constantFrom(1, 1, 1, 2),
    second: fc.integer({ min: 10, max: 59 }),
    properties,
  })
  .map(({ id, other, kind, project_id, second, properties }): Omit<IdentityEvent, "uuid"> => {
    const key = kind === "$identify" ? "$anon_distinct_id" : "alias"
    const isMerge = ["$identify", "$create_alias", "$merge_dangerously"].includes(kind)
    const extra = isMerge && other !== undefined ? { [key]: other } : {}
    return {
      ...{ project_id, event: kind, distinct_id: id, is_personless: kind === "personless" },
      timestamp: `2026-01-02 03:04:${second}.000000`,
      properties: { ...properties, ...extra } as JsonObject,
    }
  })

const sequence = fc
  .array(event, { maxLength: 40 })
  .map((list) => list.map((one, index): IdentityEvent => ({ ...one, uuid: `event-${index}` })))
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 40 })

/** Persons by their ids, each with its events and what it is: the same from either side. */
function described(persons: readonly ModelPerson[]) {
  return persons
    .map((person) => ({
      ...person,
      ids: person.ids.toSorted(),
      events: person.events.toSorted((left, right) => left - right),
    }))
    .toSorted((left, right) => (left.ids.join() < right.ids.join() ? -1 : 1))
}

function storedPersons(store: PersonsInMemory, rows: readonly StoredEvent[]): ModelPerson[] {
  return [...store.persons.values()].map((person) => ({
    ids: store.distinctIds(person).map((id) => `${person.project_id}:${id}`),
    isIdentified: person.is_identified,
    createdAt: person.created_at,
    properties: person.properties,
    events: rows.flatMap((row, index) =>
      store.resolve(row.person_id) === person.uuid ? [index] : [],
    ),
  }))
}

test("any sequence in any batches ends as the simple model says", () => {
  fc.assert(
    fc.property(sequence, cuts, (events, sizes) => {
      const model = new Model()
      events.forEach((one, index) => {
        model.add(one, index)
      })
      const store = new PersonsInMemory()
      const rows: StoredEvent[] = []
      for (let cut = 0; rows.length < events.length; cut++) {
        const size = sizes[cut % sizes.length] ?? 1
        rows.push(...store.run(events.slice(rows.length, rows.length + size)))
      }
      expect(described(storedPersons(store, rows))).toEqual(described(model.persons))
      for (const [id, indexes] of model.homeless) {
        const [projectId = "", distinctId = ""] = id.split(":")
        const uuid = firstUuid(Number(projectId), distinctId)
        expect(indexes.map((index) => store.resolve(rows[index]?.person_id ?? ""))).toEqual(
          indexes.map(() => uuid),
        )
      }
      const states = rows.map((row) => row.snapshot_id && store.snapshots.get(row.snapshot_id))
      expect(states).toEqual(model.statesSeen)
    }),
    { numRuns: 600 },
  )
})
