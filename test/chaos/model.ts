/**
 * What persons must be, by the rules of identity in the plainest form: event by event, with nothing of batches,
 * versions, overrides or stores.
 */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { SentEvent, SentRequest } from "./journal.ts"

export interface ModelPerson {
  readonly ids: readonly string[]
  readonly isIdentified: boolean
  readonly createdAt: string
  readonly properties: JsonObject
}

/** The persons of one household. */
export type World = readonly ModelPerson[]

/** Worlds that can be true after these requests: a request without an answer was kept or was not. */
export function possibleWorlds(requests: readonly SentRequest[]): readonly World[] {
  let worlds: readonly World[] = [[]]
  for (const { events, unansweredCount, isAcked } of requests) {
    const next = new Map<string, World>()
    for (let world of worlds) {
      if (!isAcked) next.set(keyOf(world), world)
      const timesMax = unansweredCount + (isAcked ? 1 : 0)
      for (let times = 0; times < timesMax; times++) {
        world = events.reduce(withEvent, world)
        next.set(keyOf(world), world)
      }
    }
    worlds = [...next.values()]
    if (worlds.length > WORLDS_MAX) throw new Error("too many unanswered requests to follow")
  }
  return worlds
}

const WORLDS_MAX = 10_000

/** The same text for the same persons, however they were come by. */
export function keyOf(world: World): string {
  const persons = world.map(({ ids, isIdentified, createdAt, properties }) => [
    ids.toSorted(),
    isIdentified,
    createdAt,
    Object.entries(properties).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ])
  return JSON.stringify(persons.map((person) => JSON.stringify(person)).toSorted())
}

function withEvent(world: World, event: SentEvent): World {
  if (event.properties.$process_person_profile === false) return world
  const joined = withMerge(world, event)
  const person = owner(joined, event.distinct_id)
  if (person === undefined) {
    return [...joined, changed(created(event, [event.distinct_id]), event)]
  }
  return replaced(joined, [person], [changed(person, event)])
}

function withMerge(world: World, event: SentEvent): World {
  const mine = event.distinct_id
  const theirs = event.properties.alias ?? event.properties.$anon_distinct_id
  if (typeof theirs !== "string" || theirs === "null" || theirs === mine) return world
  const [own, other] = [owner(world, mine), owner(world, theirs)]
  if (own === undefined && other === undefined) {
    return [...world, { ...created(event, [mine, theirs]), isIdentified: true }]
  }
  if (own === undefined || other === undefined) {
    const there = (own ?? other) as ModelPerson
    const added = own === undefined ? mine : theirs
    return replaced(world, [there], [{ ...there, ids: [...there.ids, added], isIdentified: true }])
  }
  const isRefused = other.isIdentified && event.event !== "$merge_dangerously"
  if (own === other || isRefused) return replaced(world, [own], [{ ...own, isIdentified: true }])
  const merged = {
    ids: [...own.ids, ...other.ids],
    isIdentified: true,
    createdAt: own.createdAt < other.createdAt ? own.createdAt : other.createdAt,
    properties: { ...other.properties, ...own.properties },
  }
  return replaced(world, [own, other], [merged])
}

function owner(world: World, id: string): ModelPerson | undefined {
  return world.find(({ ids }) => ids.includes(id))
}

function replaced(world: World, old: readonly ModelPerson[], now: readonly ModelPerson[]): World {
  return [...world.filter((person) => !old.includes(person)), ...now]
}

function created({ uuid, timestamp = "" }: SentEvent, ids: readonly string[]): ModelPerson {
  const properties = { $creator_event_uuid: uuid }
  return { ids, isIdentified: false, createdAt: timestamp, properties }
}

function changed(person: ModelPerson, { properties }: SentEvent): ModelPerson {
  const { $set, $set_once, $unset } = properties
  const result: Record<string, JsonValue> = {
    ...($set_once as JsonObject | undefined),
    ...person.properties,
    ...($set as JsonObject | undefined),
  }
  for (const key of ($unset as readonly string[] | undefined) ?? []) delete result[key]
  return { ...person, properties: result }
}
