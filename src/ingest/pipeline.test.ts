import { describe, expect, test } from "vitest"
import { ingestEvents } from "../../test/support/ingest-events.ts"
import { firstUuid } from "../../test/support/persons-in-memory.ts"
import { parseExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { IngestBatch } from "./pipeline.ts"
import { GroupTypes } from "./steps/group-types.ts"

/** The row of an event with these fields. */
function rowOf(event: JsonObject, options: Parameters<typeof ingestEvents>[1] = {}) {
  return ingestEvents([{ event: "e", distinct_id: "a", ...event }], options).rows[0]
}

test("an event becomes a row with all its columns", () => {
  const uuid = "0195A1B2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
  const event = { uuid, timestamp: "2026-01-02T11:00:00Z", properties: { plan: "pro" } }
  expect(rowOf(event)).toEqual({
    project_id: 1,
    uuid: uuid.toLowerCase(),
    event: "e",
    timestamp: "2026-01-02 11:00:00.000000",
    distinct_id: "a",
    person_id: firstUuid(1, "a"),
    snapshot_id: 100,
    received_at: "2026-01-02 12:00:00.000000",
    elements_chain: "",
    properties: { plan: "pro" },
  })
})

test("a batch yields many times over one large request, and misses none of its events", () => {
  const batch = new IngestBatch({
    projects: new Map([[1, { id: 1, anonymize_ips: false }]]),
    groupTypes: new GroupTypes([]),
  })
  const head = { project_id: 1, received_at: 0, ip: null, sent_at: null }
  const events = Array.from({ length: 5_000 }, () => ({ event: "e", distinct_id: "a" }))
  expect([...batch.add({ head, events }, "log:0")].length).toBeGreaterThanOrEqual(10)
  expect(batch.eventCount).toBe(events.length)
  const steps = [...batch.identify({ find: () => undefined, baseUuid: firstUuid })]
  expect(steps.length).toBeGreaterThanOrEqual(10)
})

describe("names", () => {
  test("a distinct id is taken from the first place that has one", () => {
    const idOf = (event: JsonObject) => rowOf({ distinct_id: null, ...event })?.distinct_id
    const properties = { distinct_id: "inner" }
    expect(idOf({ distinct_id: "top", $distinct_id: "dollar", properties })).toBe("top")
    expect(idOf({ $distinct_id: "dollar", properties })).toBe("dollar")
    expect(idOf({ properties })).toBe("inner")
  })

  test("a distinct id that is no string is its JSON, numbers too large for a double included", () => {
    const event = parseExact('{"distinct_id":12345678901234567890}') as JsonObject
    expect(rowOf({ distinct_id: 3 })?.distinct_id).toBe("3")
    expect(rowOf({ distinct_id: { a: 1 } })?.distinct_id).toBe('{"a":1}')
    expect(rowOf(event)?.distinct_id).toBe("12345678901234567890")
  })

  test("ids and names have at most 200 characters, none of them half or NUL", () => {
    const row = rowOf({ distinct_id: "🦔".repeat(201), event: `\0${"n".repeat(300)}` })
    expect(row?.distinct_id).toBe("🦔".repeat(200))
    expect(row?.event).toBe(`\ufffd${"n".repeat(199)}`)
  })

  test("a name that is an object or list is its JSON", () => {
    expect(rowOf({ event: { a: [1] } })?.event).toBe('{"a":[1]}')
  })

  test("/engage names what has no name", () => {
    const event = { distinct_id: "a", $set: { plan: "pro" } }
    const { rows, changes } = ingestEvents([event], { is_engage: true })
    expect(rows[0]?.event).toBe("$identify")
    expect(changes.created[0]?.properties).toMatchObject({ plan: "pro" })
  })

  test("events without a uuid get one that is the same whenever the record is read", () => {
    const events = [
      { event: "e", distinct_id: "a" },
      { event: "e", distinct_id: "a", uuid: "" },
    ]
    const uuids = ingestEvents(events).rows.map((row) => row.uuid)
    expect(ingestEvents(events).rows.map((row) => row.uuid)).toEqual(uuids)
    expect(new Set(uuids).size).toBe(2)
    expect(uuids).toEqual(uuids.toSorted())
  })

  test("what has neither id nor name is dropped and counted", () => {
    const { rows, drops } = ingestEvents([{ event: "e" }, { distinct_id: "a" }])
    expect(rows).toEqual([])
    expect(drops).toMatchObject({ missing_distinct_id: 1, missing_event_name: 1 })
  })

  test("events of a project that is gone are dropped and counted", () => {
    const events = [{ event: "e", distinct_id: "a" }]
    expect(ingestEvents(events, { project_id: 2 }).drops.unknown_project).toBe(1)
  })
})

describe("normalisation", () => {
  test("updates beside the properties join those inside and win", () => {
    const inside = { $set: { a: 1, b: 1 }, $unset: ["x"] }
    const event = { $set: { b: 2 }, $set_once: { c: 3 }, $unset: ["y"], properties: inside }
    expect(rowOf(event)?.properties).toEqual({
      $set: { a: 1, b: 2 },
      $set_once: { c: 3 },
      $unset: ["x", "y"],
    })
  })

  test("updates that are no objects change nothing", () => {
    expect(rowOf({ $set: "x", $set_once: [1] })?.properties).toEqual({})
  })

  test("$ip is the request's, unless the event has one or the project wants none", () => {
    const given = { properties: { $ip: "9.9.9.9" } }
    const ip = "1.2.3.4"
    const project = { anonymize_ips: true }
    expect(rowOf({}, { ip })?.properties).toEqual({ $ip: ip })
    expect(rowOf(given, { ip })?.properties).toEqual({ $ip: "9.9.9.9" })
    expect(rowOf({}, { ip: null })?.properties).toEqual({})
    expect(rowOf(given, { ip, project })?.properties).toEqual({})
    expect(rowOf({}, { ip, project })?.properties).toEqual({})
  })

  test("$sent_at is what the client's clock said", () => {
    const row = rowOf({}, { sent_at: "2026-01-02T12:00:10Z" })
    expect(row?.properties).toEqual({ $sent_at: "2026-01-02T12:00:10.000000Z" })
  })

  test("the token stays where a client put it", () => {
    expect(rowOf({ properties: { token: "phc_x" } })?.properties).toEqual({ token: "phc_x" })
  })

  test("half surrogate pairs are replaced wherever they are; all else stays the same object", () => {
    const deep = { list: [{ "k\ud800": "v\udc00" }], plain: "🦔", n: 1 }
    expect(rowOf({ properties: deep })?.properties).toEqual({
      list: [{ "k\ufffd": "v\ufffd" }],
      plain: "🦔",
      n: 1,
    })
    const properties = { plain: "🦔", list: [{ a: null }] }
    expect(rowOf({ properties })?.properties).toBe(properties)
  })

  test("the stored event keeps its own updates; what it tells by itself is the person's alone", () => {
    const event = { properties: { $browser: "Chrome", $set: { plan: "pro" } } }
    const { rows, changes } = ingestEvents([{ event: "e", distinct_id: "a", ...event }])
    expect(rows[0]?.properties).toEqual(event.properties)
    expect(changes.snapshots[0]?.properties).toMatchObject({
      $browser: "Chrome",
      $initial_browser: "Chrome",
      plan: "pro",
    })
  })
})

describe("personless events", () => {
  const without = { $process_person_profile: false }

  test("are stored without a person and without updates", () => {
    const updates = { $set: { a: 1 }, $set_once: { b: 1 }, $unset: ["c"] }
    const event = { event: "e", distinct_id: "a", ...updates, properties: { ...without, x: 1 } }
    const { rows, changes, warnings } = ingestEvents([event])
    expect(rows[0]).toMatchObject({ person_id: firstUuid(1, "a"), snapshot_id: null })
    expect(rows[0]?.properties).toEqual({ ...without, x: 1 })
    expect(changes.created).toEqual([])
    expect(warnings).toEqual([])
  })

  test.each(["$identify", "$create_alias", "$merge_dangerously", "$groupidentify"])(
    "%s is dropped with a warning",
    (event) => {
      const { rows, drops, warnings } = ingestEvents([
        { event, distinct_id: "a", properties: without },
      ])
      expect(rows).toEqual([])
      expect(drops.invalid_event_when_process_person_profile_is_false).toBe(1)
      expect(warnings.map(({ type }) => type)).toEqual([
        "invalid_event_when_process_person_profile_is_false",
      ])
    },
  )

  test.each(["false", 0, null, {}])("%j is no boolean: a warning, and a person", (value) => {
    const properties = { $process_person_profile: value }
    const { rows, warnings } = ingestEvents([{ event: "e", distinct_id: "a", properties }])
    expect(rows[0]?.snapshot_id).toBe(100)
    expect(warnings).toMatchObject([
      { project_id: 1, type: "invalid_process_person_profile", details: { distinct_id: "a" } },
    ])
  })
})

describe("groups", () => {
  const stored = [{ project_id: 1, group_type: "company", group_type_index: 0 }]

  test("are numbered in order of first use, at most five kinds", () => {
    const $groups = { team: 7, company: "acme", a: "1", b: "2", c: "3", d: "4", none: null }
    const events = [{ event: "e", distinct_id: "a", properties: { $groups } }]
    const { rows, newGroupTypes } = ingestEvents(events, { groupTypes: stored })
    expect(rows[0]?.properties).toEqual({
      ...{ $groups, $group_0: "acme", $group_1: "7" },
      ...{ $group_2: "1", $group_3: "2", $group_4: "3" },
    })
    expect(newGroupTypes.map((one) => [one.group_type, one.group_type_index])).toEqual([
      ...[
        ["team", 1],
        ["a", 2],
        ["b", 3],
        ["c", 4],
      ],
    ])
  })

  test("get the properties that $groupidentify sets, later ones over earlier", () => {
    const identify = (timestamp: string, $group_set: JsonObject) => ({
      ...{ event: "$groupidentify", distinct_id: "a", timestamp },
      properties: { $group_type: "company", $group_key: "acme", $group_set },
    })
    const { groupUpdates } = ingestEvents([
      identify("2026-01-02T10:00:00Z", { name: "Acme", plan: "free" }),
      identify("2026-01-02T11:00:00Z", { plan: "pro" }),
      { event: "$groupidentify", distinct_id: "a", properties: { $group_type: "company" } },
    ])
    expect(groupUpdates).toEqual([
      {
        ...{ project_id: 1, group_type_index: 0, group_key: "acme" },
        created_at: "2026-01-02 10:00:00.000000",
        properties: { name: "Acme", plan: "pro" },
      },
    ])
  })

  test("keep what they are given, whatever it is called, and leave the events as they are", () => {
    const set = (text: string) => ({
      ...{ event: "$groupidentify", distinct_id: "a" },
      properties: { $group_type: "company", $group_key: "acme", $group_set: JSON.parse(text) },
    })
    const { groupUpdates, rows } = ingestEvents([
      set('{"__proto__":1,"toString":2}'),
      set('{"__proto__":{"x":3}}'),
    ])
    expect(JSON.stringify(groupUpdates[0]?.properties)).toBe('{"__proto__":{"x":3},"toString":2}')
    expect(JSON.stringify(rows[0]?.properties.$group_set)).toBe('{"__proto__":1,"toString":2}')
  })

  test("are bounded in size: an update beyond is not taken and warned about", () => {
    const set = ($group_set: JsonObject) => ({
      ...{ event: "$groupidentify", distinct_id: "a" },
      properties: { $group_type: "company", $group_key: "acme", $group_set },
    })
    const big = "x".repeat(300 * 1024)
    const { groupUpdates, rows, warnings } = ingestEvents([
      ...[set({ one: big }), set({ two: big, more: 1 }), set({ one: "small" }), set({ two: big })],
    ])
    expect(groupUpdates[0]?.properties).toEqual({ one: "small", two: big })
    expect(rows).toHaveLength(4)
    expect(warnings).toMatchObject([
      {
        type: "group_properties_size_violation",
        details: { event: "$groupidentify", group_type_index: 0, group_key: "acme" },
      },
    ])
  })
})

describe("elements", () => {
  test("become the chain and leave the properties", () => {
    const $elements = [{ tag_name: "a", $el_text: "Go" }]
    const row = rowOf({ properties: { $elements, x: 1 } })
    expect(row?.elements_chain).toBe('a:nth-child="0"nth-of-type="0"text="Go"')
    expect(row?.properties).toEqual({ x: 1 })
  })

  test("come as a chain from newer clients", () => {
    const row = rowOf({ properties: { $elements_chain: 'b:text="x"', $elements: [] } })
    expect(row).toMatchObject({ elements_chain: 'b:text="x"', properties: {} })
  })
})

describe("identity", () => {
  test("asks for every id that events name, once", () => {
    const { wantedIds } = ingestEvents([
      { event: "e", distinct_id: "a" },
      { event: "$identify", distinct_id: "a", properties: { $anon_distinct_id: "b" } },
      { event: "$create_alias", distinct_id: "a", properties: { alias: "c" } },
    ])
    expect(wantedIds).toEqual(["a", "b", "c"])
  })

  test("gives events of one batch the survivor, and the state they saw", () => {
    const { rows, changes } = ingestEvents([
      { event: "e", distinct_id: "b", $set: { n: 1 } },
      { event: "e", distinct_id: "a" },
      { event: "$identify", distinct_id: "a", properties: { $anon_distinct_id: "b" } },
    ])
    expect(new Set(rows.map((row) => row.person_id))).toEqual(new Set([firstUuid(1, "a")]))
    const states = rows.map((row) => changes.snapshots[(row.snapshot_id ?? 0) - 100]?.properties)
    expect(states.map((state) => state?.n)).toEqual([1, undefined, 1])
  })
})
