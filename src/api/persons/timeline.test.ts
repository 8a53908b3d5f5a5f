import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { putEvents, putOverrides } from "../../../test/support/events.ts"
import { addPerson } from "../../../test/support/persons.ts"
import { newUuid } from "../../lib/ids.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

let lastSnapshotId = 1_000_000

type Seen = readonly [timestamp: string, state: JsonObject, event?: string]

async function addSetting(seen: readonly Seen[] = []) {
  const { project, owner } = await app.addOrganization()
  const person = await addPerson(app, project.id, { distinct_ids: ["ana"] })
  const url = `/api/projects/${project.id}/persons/${person.id}/properties_timeline`
  /** Each event in a state of its own, as ingestion leaves it. */
  const see = async (events: readonly Seen[], uuid = person.uuid) => {
    const states = events.map(([, properties]) => ({
      ...{ project_id: project.id, snapshot_id: ++lastSnapshotId },
      ...{ person_id: uuid, properties },
    }))
    await app.app.services.columnar.apply({ snapshots: states })
    const drafts = events.map(([timestamp, , event = "$pageview"], index) => ({
      ...{ timestamp, event },
      person: { uuid, snapshot_id: states[index]?.snapshot_id ?? 0 },
    }))
    await putEvents(app, project.id, drafts)
  }
  await see(seen)
  const get = (query: Record<string, string> = {}) => app.get(`${url}?${asked(query)}`, owner.key)
  return { projectId: project.id, owner, person, url, see, get }
}

function asked(query: Record<string, string>) {
  return new URLSearchParams({
    events: JSON.stringify([{ id: "$pageview" }]),
    properties: JSON.stringify([{ key: "bar", value: "whatever", type: "person" }]),
    ...{ date_from: "2020-01-01", date_to: "2020-01-05" },
    ...query,
  })
}

/** Counts and crucial values of the points, and the rest of the answer but the person. */
async function timelineOf(get: Awaited<ReturnType<typeof addSetting>>["get"], query = {}) {
  const { status, body, text } = await get(query)
  if (status !== 200) throw new Error(text)
  const { points, crucial_property_keys, effective_date_from, effective_date_to } = body
  return { points, crucial_property_keys, effective_date_from, effective_date_to }
}

const RANGE = {
  effective_date_from: "2020-01-01T00:00:00Z",
  effective_date_to: "2020-01-05T23:59:59.999999Z",
}
const entityFoo = JSON.stringify([
  { id: "$pageview", properties: [{ key: "foo", value: "x", type: "person" }] },
])

describe("the timeline of a person's properties", () => {
  test("is the person and one point for one event", async () => {
    const state = { foo: "abc", bar: 123 }
    const { get, person } = await addSetting([["2020-01-01T00:00:00Z", state]])
    const { body } = await get()
    expect(body).toMatchObject({ id: person.id, uuid: person.uuid, distinct_ids: ["ana"] })
    expect(body).toMatchObject({
      ...RANGE,
      points: [{ timestamp: "2020-01-01T00:00:00Z", properties: state, relevant_event_count: 1 }],
      crucial_property_keys: ["bar"],
    })
  })

  test("has no points for events out of range", async () => {
    const { get } = await addSetting([["2019-12-27T00:00:00Z", { bar: 1 }]])
    expect(await timelineOf(get)).toEqual({ ...RANGE, points: [], crucial_property_keys: ["bar"] })
  })

  const twoStates: Seen[] = [
    ["2020-01-01T00:00:00Z", { foo: "abc", bar: 123 }],
    ["2020-01-01T21:37:00Z", { foo: "klm", bar: 123 }],
  ]
  const twoPoints = {
    ...RANGE,
    points: twoStates.map(([timestamp, properties]) => ({
      ...{ timestamp, properties, relevant_event_count: 1 },
    })),
    crucial_property_keys: ["bar", "foo"],
  }

  test("has a new point when a property of an entity's filter changes", async () => {
    const { get } = await addSetting(twoStates)
    expect(await timelineOf(get, { events: entityFoo })).toEqual(twoPoints)
  })

  test("has a new point when a person property of the breakdown changes", async () => {
    const { get } = await addSetting(twoStates)
    const breakdown_type = "person"
    expect(await timelineOf(get, { breakdown: "foo", breakdown_type })).toEqual(twoPoints)
    expect(await timelineOf(get, { breakdown: '["foo"]', breakdown_type })).toEqual(twoPoints)
    const { points } = await timelineOf(get, { breakdown: "foo" })
    expect(points).toMatchObject([{ relevant_event_count: 2, properties: { foo: "abc" } }])
  })

  test("has a new point whenever a value comes back", async () => {
    const { get } = await addSetting([
      ["2020-01-02T00:00:00Z", { bar: 456 }],
      ["2020-01-03T00:00:00Z", { bar: 123 }],
      ["2020-01-04T00:00:00Z", { bar: 456 }],
    ])
    const { points } = await timelineOf(get)
    expect(points).toMatchObject([
      { properties: { bar: 456 }, relevant_event_count: 1 },
      { properties: { bar: 123 }, relevant_event_count: 1 },
      { properties: { bar: 456 }, relevant_event_count: 1 },
    ])
  })

  test("of the same beginning and end is one interval", async () => {
    const { get } = await addSetting([
      ["2020-01-02T00:00:00Z", { bar: 456 }],
      ["2020-01-02T07:00:00Z", { bar: 123 }],
      ["2020-01-02T14:00:00Z", { bar: 456 }],
      ["2020-01-03T00:00:00Z", { bar: 789 }],
    ])
    const date = { date_from: "2020-01-02T00:00:00Z", date_to: "2020-01-02T00:00:00Z" }
    const timeline = await timelineOf(get, { ...date, interval: "day" })
    expect(timeline.points).toHaveLength(3)
    expect(timeline.effective_date_to).toBe("2020-01-02T23:59:59.999999Z")
    const to = async (interval: string) =>
      (await timelineOf(get, { ...date, interval })).effective_date_to
    expect(await to("hour")).toBe("2020-01-02T00:59:59.999999Z")
    expect(await to("week")).toBe("2020-01-08T23:59:59.999999Z")
    expect(await to("month")).toBe("2020-02-01T23:59:59.999999Z")
  })

  test("counts events until the next point, whatever else of the person changes", async () => {
    const { get } = await addSetting([
      ["2020-01-02T00:00:00Z", { bar: 1, other: 1 }],
      ["2020-01-02T01:00:00Z", { bar: 1, other: 2 }],
      ["2020-01-02T02:00:00Z", { bar: 1, other: 3 }],
      ["2020-01-02T03:00:00Z", { bar: 2 }],
      ["2020-01-02T03:30:00Z", { bar: 2 }, "clicked"],
    ])
    const { points } = await timelineOf(get)
    expect(points).toMatchObject([
      { properties: { bar: 1, other: 1 }, relevant_event_count: 3 },
      { properties: { bar: 2 }, relevant_event_count: 1 },
    ])
    const all = await timelineOf(get, { events: '[{"id":null}]' })
    expect(all.points).toMatchObject([{}, { relevant_event_count: 2 }])
  })

  test("does not apply the values of filters, and takes keys from groups", async () => {
    const { get } = await addSetting([["2020-01-02T00:00:00Z", { bar: 1 }]])
    const leaf = { key: "bar", value: "nobody has this", type: "person" }
    const values = [{ type: "OR", values: [leaf, { key: "url", value: "x" }] }]
    const timeline = await timelineOf(get, { properties: JSON.stringify({ type: "AND", values }) })
    expect(timeline).toMatchObject({ crucial_property_keys: ["bar"], points: [{}] })
  })

  test("has events of persons that were merged into this one, with the state they saw", async () => {
    const { get, see, person, projectId } = await addSetting()
    const old_person_id = newUuid()
    await see([["2020-01-02T00:00:00Z", { bar: "old" }]], old_person_id)
    await see([["2020-01-03T00:00:00Z", { bar: "new" }]])
    await putOverrides(app, [{ project_id: projectId, old_person_id, person_id: person.uuid }])
    const { points } = await timelineOf(get)
    expect(points).toMatchObject([{ properties: { bar: "old" } }, { properties: { bar: "new" } }])
  })

  test("begins with the project's first event for all, seven days ago by default", async () => {
    const { get } = await addSetting([["2019-06-01T12:00:00.5Z", { bar: 1 }]])
    expect(await timelineOf(get, { date_from: "all", date_to: "" })).toMatchObject({
      effective_date_from: "2019-06-01T12:00:00.500000Z",
      effective_date_to: "2026-03-02T23:59:59.999999Z",
    })
    expect(await timelineOf(get, { date_from: "", date_to: "", interval: "hour" })).toMatchObject({
      effective_date_from: "2026-02-23T00:00:00Z",
      effective_date_to: "2026-03-02T10:59:59.999999Z",
    })
  })

  test("is as CSV the points", async () => {
    const { get } = await addSetting([["2020-01-01T00:00:00Z", { bar: 1 }]])
    const { text } = await get({ format: "csv" })
    expect(text).toBe(
      'timestamp,relevant_event_count,properties\r\n2020-01-01T00:00:00Z,1,"{""bar"":1}"\r\n',
    )
  })

  test.each([
    ["events", "nope", "invalid_input"],
    ["events", "[17]", "invalid_input"],
    ["actions", '[{"id":1}]', "invalid_input"],
    ["properties", "{", "invalid_input"],
    ["date_from", "soon", "invalid_input"],
    ["date_to", "soon", "invalid_input"],
    ["interval", "century", "invalid_choice"],
    ["format", "xml", "invalid_choice"],
  ])("refuses %s=%s", async (attr, value, code) => {
    const { get } = await addSetting()
    const { status, body } = await get({ [attr]: value })
    expect([status, body.code, body.attr]).toEqual([400, code, attr])
  })

  test("needs person:read and a person of the project", async () => {
    const { owner, url, projectId } = await addSetting()
    const key = await app.addKey(owner.id, { scopes: ["query:read"] })
    expect((await app.get(url, key)).status).toBe(403)
    const right = await app.addKey(owner.id, { scopes: ["person:read"] })
    expect((await app.get(url, right)).status).toBe(200)
    const nobody = `/api/projects/${projectId}/persons/${newUuid()}/properties_timeline`
    expect((await app.get(nobody, right)).status).toBe(404)
  })
})
