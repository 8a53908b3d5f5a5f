import { describe, expect, test } from "vitest"
import { firstUuid, PersonsInMemory } from "../../test/support/persons-in-memory.ts"
import type { JsonObject } from "../lib/json.ts"
import type { IdentityEvent, PersonState } from "./identity.ts"
import { distinctIdsOf, IdentityBatch } from "./identity-batch.ts"

let eventCount = 0

function event(distinctId: string, name = "$pageview", properties: JsonObject = {}): IdentityEvent {
  eventCount += 1
  const second = String(eventCount % 60).padStart(2, "0")
  return {
    project_id: 1,
    uuid: `event-${eventCount}`,
    event: name,
    distinct_id: distinctId,
    timestamp: `2026-01-02 03:04:${second}.000000`,
    properties,
    is_personless: false,
  }
}

function personless(distinctId: string): IdentityEvent {
  return { ...event(distinctId), is_personless: true }
}

const identify = (id: string, anonymous: string, properties: JsonObject = {}) =>
  event(id, "$identify", { $anon_distinct_id: anonymous, ...properties })
const alias = (id: string, other: string) => event(id, "$create_alias", { alias: other })
const mergeDangerously = (id: string, other: string) =>
  event(id, "$merge_dangerously", { alias: other })

/** Each event as a batch of its own, so that every case also goes through the stores. */
function storeAfter(...events: readonly IdentityEvent[]): PersonsInMemory {
  const store = new PersonsInMemory()
  for (const one of events) store.run([one])
  return store
}

/** Of project 1, in words: sorted ids, "!" when identified. */
function personsOf(store: PersonsInMemory): string[] {
  return [...store.persons.values()]
    .filter((person) => person.project_id === 1)
    .map((person) => {
      const ids = store.distinctIds(person).toSorted().join("+")
      return person.is_identified ? `${ids}!` : ids
    })
    .toSorted()
}

function propertiesOf(store: PersonsInMemory, distinctId: string): JsonObject {
  const { $creator_event_uuid, ...properties } = store.find(1, distinctId)?.properties ?? {}
  expect($creator_event_uuid).toMatch(/^event-/)
  return properties
}

function warningsOf(store: PersonsInMemory): string[] {
  return store.warnings.map(({ type }) => type)
}

describe("the first event of a distinct id", () => {
  test("creates a person whose uuid follows from project and id", () => {
    const first = event("a", "signed up", { $set_once: { x: 1, y: 1 }, $set: { y: 2 } })
    const person = storeAfter(first).find(1, "a")
    expect(person).toMatchObject({
      uuid: firstUuid(1, "a"),
      version: 1,
      created_at: first.timestamp,
      is_identified: false,
      properties: { x: 1, y: 2, $creator_event_uuid: first.uuid },
    })
  })
})

describe("worked cases of identity", () => {
  const both = identify("new", "old")

  test("I1: two unknown ids become one identified person", () => {
    const store = storeAfter(both)
    expect(personsOf(store)).toEqual(["new+old!"])
    expect(store.find(1, "old")?.uuid).toBe(firstUuid(1, "new"))
  })

  test("I2: an unknown anonymous id is attached", () => {
    expect(personsOf(storeAfter(event("new"), both))).toEqual(["new+old!"])
  })

  test("I3: an unknown new id is attached to the anonymous person", () => {
    const store = storeAfter(event("old"), both)
    expect(personsOf(store)).toEqual(["new+old!"])
    expect(store.find(1, "new")?.uuid).toBe(firstUuid(1, "old"))
  })

  test("I4: ids of one person only make it identified", () => {
    const store = storeAfter(event("old"), both)
    const before = store.find(1, "new")
    if (before !== undefined) store.persons.set(before.uuid, { ...before, is_identified: false })
    store.run([both])
    expect(store.find(1, "new")).toEqual({ ...before, version: 3 })
    store.run([both])
    expect(store.find(1, "new")?.version).toBe(3)
  })

  test("I5: two anonymous persons merge into the new one, created when the first was", () => {
    const old = event("old")
    const store = storeAfter(old, event("new"), both)
    expect(personsOf(store)).toEqual(["new+old!"])
    expect(store.find(1, "old")).toMatchObject({
      uuid: firstUuid(1, "new"),
      created_at: old.timestamp,
    })
    expect(store.resolve(firstUuid(1, "old"))).toBe(firstUuid(1, "new"))
  })

  test("I7: an identified person is not merged away, and the new one becomes identified", () => {
    const store = storeAfter(identify("old", "x"), event("new"), both)
    expect(personsOf(store)).toEqual(["new!", "old+x!"])
    expect(store.warnings).toEqual([
      {
        project_id: 1,
        type: "cannot_merge_already_identified",
        details: {
          event_uuid: both.uuid,
          event: "$identify",
          distinct_id: "new",
          other_distinct_id: "old",
        },
      },
    ])
  })

  test("I8: two identified persons stay two", () => {
    const store = storeAfter(identify("old", "x"), identify("new", "y"), both)
    expect(personsOf(store)).toEqual(["new+y!", "old+x!"])
  })

  test("I9: $merge_dangerously merges an identified person", () => {
    const identified = identify("old", "x")
    const merged = mergeDangerously("new", "old")
    expect(personsOf(storeAfter(identified, event("new"), merged))).toEqual(["new+old+x!"])
    expect(personsOf(storeAfter(identified, identify("new", "y"), merged))).toEqual([
      "new+old+x+y!",
    ])
  })

  test("I11: $unset removes keys, from a list or an object", () => {
    const set = event("a", "$set", { $set: { a: 1, b: 2, c: 3 } })
    const list = storeAfter(set, event("a", "any", { $unset: ["a", "c"] }))
    const object = storeAfter(set, event("a", "any", { $unset: { a: "", c: "" } }))
    const empty = storeAfter(set, event("a", "any", { $unset: {} }))
    expect(propertiesOf(list, "a")).toEqual({ b: 2 })
    expect(propertiesOf(object, "a")).toEqual({ b: 2 })
    expect(empty.find(1, "a")?.version).toBe(1)
  })

  test("I12: $set wins over $set_once", () => {
    const both = event("a", "any", { $set: { a_prop: "x" }, $set_once: { a_prop: "y" } })
    expect(propertiesOf(storeAfter(both), "a")).toEqual({ a_prop: "x" })
    expect(propertiesOf(storeAfter(event("a"), both), "a")).toEqual({ a_prop: "x" })
  })

  test("I13: $set_once sets only what is absent", () => {
    const first = event("a", "any", { $set: { a_prop: "test-1", c_prop: "test-1" } })
    const second = event("a", "any", { $set_once: { a_prop: "test-2", b_prop: "test-2b" } })
    expect(propertiesOf(storeAfter(first, second), "a")).toEqual({
      a_prop: "test-1",
      b_prop: "test-2b",
      c_prop: "test-1",
    })
  })

  test("I14: merged properties are both persons', the survivor's where both have one", () => {
    const old = event("old", "any", { $set: { key_on_both: "old", of_old: 1 } })
    const young = event("new", "any", { $set: { key_on_both: "new", of_new: 2 } })
    expect(propertiesOf(storeAfter(old, young, alias("new", "old")), "old")).toEqual({
      key_on_both: "new",
      of_old: 1,
      of_new: 2,
    })
  })

  test("I18: an alias between unknown ids makes one identified person", () => {
    expect(personsOf(storeAfter(alias("new", "old")))).toEqual(["new+old!"])
  })

  test("I19: an illegal id merges nobody, and the event is kept", () => {
    const store = storeAfter(identify("undefined", "x"))
    expect(personsOf(store)).toEqual(["undefined"])
    expect(warningsOf(store)).toEqual(["cannot_merge_with_illegal_distinct_id"])
  })

  test("I20: the same ids in two projects never mix", () => {
    const elsewhere = { ...identify("new", "old"), project_id: 2 }
    const store = storeAfter(event("old"), elsewhere, event("new"))
    expect(personsOf(store)).toEqual(["new", "old"])
    expect(store.find(2, "old")?.uuid).toBe(firstUuid(2, "new"))
  })
})

describe("merging", () => {
  test("attaches an unknown id to an identified person", () => {
    expect(personsOf(storeAfter(identify("a", "x"), identify("b", "a")))).toEqual(["a+b+x!"])
    expect(personsOf(storeAfter(identify("a", "x"), identify("a", "b")))).toEqual(["a+b+x!"])
  })

  test.each([
    ["$identify without $anon_distinct_id", event("a", "$identify")],
    ["$identify with its own id", identify("a", "a")],
    ["$create_alias without alias", event("a", "$create_alias")],
    ["$merge_dangerously with null", event("a", "$merge_dangerously", { alias: null })],
    ["another event with alias", event("a", "custom", { alias: "b", $anon_distinct_id: "b" })],
  ])("does not happen on %s", (_what, one) => {
    const store = storeAfter(one)
    expect(personsOf(store)).toEqual(["a"])
    expect(store.warnings).toEqual([])
  })

  test("takes the event's own properties last", () => {
    const store = storeAfter(
      event("old", "any", { $set: { a: "old", b: "old", c: "old" } }),
      event("new", "any", { $set: { a: "new" } }),
      identify("new", "old", { $set: { b: "event" }, $set_once: { a: "once" }, $unset: ["c"] }),
    )
    expect(propertiesOf(store, "new")).toEqual({ a: "new", b: "event" })
  })

  test("takes ids that are no strings as their JSON", () => {
    expect(distinctIdsOf(event("a", "$create_alias", { alias: 3 }))).toEqual(["a", "3"])
    expect(personsOf(storeAfter(event("a", "$create_alias", { alias: 3 })))).toEqual(["3+a!"])
  })
})

describe("what a batch writes", () => {
  test("leaves out persons that it creates and merges away, and follows chains to their end", () => {
    const store = new PersonsInMemory()
    const events = [event("a"), event("b"), event("c"), alias("b", "a"), mergeDangerously("c", "b")]
    const rows = store.run(events)
    expect(personsOf(store)).toEqual(["a+b+c!"])
    expect(new Set(rows.map((row) => row.person_id))).toEqual(new Set([firstUuid(1, "c")]))
    expect(store.resolve(firstUuid(1, "a"))).toBe(firstUuid(1, "c"))
    expect(store.persons.get(firstUuid(1, "c"))?.version).toBe(1)
  })

  test("is nothing at all when no event changes anything", () => {
    const set = event("a", "$set", { $set: { deep: { list: [1, { x: null }] } } })
    const store = storeAfter(set)
    const batch = new IdentityBatch({ find: (p, id) => store.find(p, id), baseUuid: firstUuid })
    const person = batch.apply(set)
    expect(person).toEqual({ uuid: firstUuid(1, "a"), snapshot: store.find(1, "a")?.snapshot_id })
    expect(batch.changes()).toEqual({
      ...{ created: [], updated: [], attached: [], merged: [] },
      ...{ overrides: [], snapshots: [], warnings: [] },
    })
  })

  test("holds a snapshot for each state that events saw, and only one final state", () => {
    const store = new PersonsInMemory()
    const count = (n: number) => event("a", "any", { $set: { n } })
    const rows = store.run([count(1), count(1), count(2)])
    const seen = rows.map((row) => store.snapshots.get(row.snapshot_id ?? 0)?.n)
    expect(seen).toEqual([1, 1, 2])
    expect(store.snapshots.size).toBe(2)
    expect(store.find(1, "a")).toMatchObject({ version: 1, snapshot_id: rows[2]?.snapshot_id })
  })

  test("is one version more when only is_identified changes, with the snapshot as it was", () => {
    const store = storeAfter(event("a"))
    const before = store.find(1, "a")
    store.run([alias("a", "b")])
    expect(store.find(1, "a")).toEqual({ ...before, version: 2, is_identified: true })
  })
})

describe("personless events", () => {
  test("make no person and have the uuid that one would get", () => {
    const store = new PersonsInMemory()
    const [row] = store.run([personless("a")])
    expect(store.persons.size).toBe(0)
    expect(row).toEqual({ project_id: 1, person_id: firstUuid(1, "a"), snapshot_id: null })
  })

  test("belong to the person of their id where there is one, without its properties", () => {
    const store = storeAfter(identify("b", "a"))
    expect(store.run([personless("a")])).toEqual([
      { project_id: 1, person_id: firstUuid(1, "b"), snapshot_id: null },
    ])
  })

  test("follow when their id joins a person later", () => {
    const store = storeAfter(personless("a"), event("b"), identify("b", "a"))
    expect(store.resolve(firstUuid(1, "a"))).toBe(firstUuid(1, "b"))
    const rows = new PersonsInMemory().run([personless("a"), event("b"), identify("b", "a")])
    expect(rows[0]?.person_id).toBe(firstUuid(1, "b"))
  })
})

describe("properties that change all the time", () => {
  const first = event("a", "$pageview", { $browser: "Chrome", utm_source: "mail" })

  test("become the person's last and first value", () => {
    expect(propertiesOf(storeAfter(first), "a")).toEqual({
      ...{ $browser: "Chrome", $initial_browser: "Chrome" },
      ...{ utm_source: "mail", $initial_utm_source: "mail" },
    })
  })

  test("are not written for their own sake, but with anything else and on events about the person", () => {
    const next = { $browser: "Firefox", $geoip_city_name: "Bonn" }
    const skipped = storeAfter(first, event("a", "$pageview", { $browser: "Firefox" }))
    expect(skipped.find(1, "a")?.version).toBe(1)
    const along = storeAfter(first, event("a", "$pageview", { ...next, $set: { plan: "pro" } }))
    expect(propertiesOf(along, "a")).toMatchObject({ $browser: "Firefox", plan: "pro" })
    for (const name of ["$identify", "$create_alias", "$merge_dangerously", "$set"]) {
      const store = storeAfter(first, event("a", name, next))
      expect(propertiesOf(store, "a")).toMatchObject({
        $browser: "Firefox",
        $initial_browser: "Chrome",
      })
    }
  })

  test("are written when the person has none yet", () => {
    const store = storeAfter(event("a"), first)
    expect(propertiesOf(store, "a")).toMatchObject({ $browser: "Chrome" })
  })

  test("yield to what the event sets explicitly", () => {
    const set = { $set: { $browser: "Mine" }, $set_once: { $initial_browser: "First" } }
    const store = storeAfter(event("a", "$set", { $browser: "Chrome", ...set }))
    expect(propertiesOf(store, "a")).toEqual({ $browser: "Mine", $initial_browser: "First" })
  })
})

test.each(["$exception", "$$heatmap"])("%s never changes a person's properties", (name) => {
  const properties = { $browser: "Chrome", $set: { a: 1 }, $set_once: { b: 1 }, $unset: ["c"] }
  const store = storeAfter(event("a", "$set", { $set: { c: 1 } }), event("a", name, properties))
  expect(propertiesOf(store, "a")).toEqual({ c: 1 })
})

describe("a person's size", () => {
  const big = "x".repeat(300 * 1024)

  test("is bounded: an update beyond is not applied and warned about", () => {
    const set = (key: string) => event("a", "$set", { $set: { [key]: big, [`${key}_done`]: true } })
    const store = storeAfter(set("one"), set("two"))
    expect(Object.keys(propertiesOf(store, "a"))).toEqual(["one", "one_done"])
    expect(warningsOf(store)).toEqual(["person_properties_size_violation"])
  })

  test("does not stop a merge, which then takes no properties along", () => {
    const set = (id: string) => event(id, "$set", { $set: { [id]: big } })
    const store = storeAfter(set("a"), set("b"), alias("b", "a"))
    expect(personsOf(store)).toEqual(["a+b!"])
    expect(Object.keys(propertiesOf(store, "a"))).toEqual(["b"])
  })
})

test("keys that name parts of objects are keys like any other", () => {
  const set = JSON.parse('{"$set":{"__proto__":1,"constructor":2},"$set_once":{"toString":3}}')
  const store = storeAfter(event("a", "any", set))
  expect(JSON.stringify(propertiesOf(store, "a"))).toBe(
    '{"toString":3,"__proto__":1,"constructor":2}',
  )
  store.run([event("a", "any", { $unset: ["__proto__", "valueOf"] })])
  expect(JSON.stringify(propertiesOf(store, "a"))).toBe('{"toString":3,"constructor":2}')
})

test("a person without room for its properties keeps its events and is changed by none", () => {
  const store = storeAfter(event("large", "$set", { $set: { a: 1 } }), event("small"))
  const large = { ...store.find(1, "large"), properties: {}, is_unread: true } as PersonState
  const find = (project: number, id: string) => (id === "large" ? large : store.find(project, id))
  const batch = new IdentityBatch({ find, baseUuid: firstUuid })
  const seen = [
    event("large", "$set", { $set: { b: 1 } }),
    identify("large", "new"),
    mergeDangerously("small", "large"),
    personless("large"),
  ].map((one) => batch.apply(one))
  expect(seen.map(({ uuid }) => uuid === large.uuid)).toEqual([true, true, false, true])
  expect(seen[0]?.snapshot).toBe(large.snapshot_id)
  const { created, updated, attached, merged, warnings } = batch.changes()
  expect({ created, updated, attached, merged }).toEqual({
    ...{ created: [], updated: [], attached: [], merged: [] },
  })
  expect(new Set(warnings.map(({ type }) => type))).toEqual(
    new Set(["request_names_too_many_large_persons"]),
  )
})
