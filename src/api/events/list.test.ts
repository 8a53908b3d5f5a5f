import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addEventProject, ago, listNames, putOverrides } from "../../../test/support/events.ts"
import { addPerson } from "../../../test/support/persons.ts"
import { parseExact } from "../../lib/exact-json.ts"
import { newUuid } from "../../lib/ids.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

const addProject = () => addEventProject(app)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe("an event in the list", () => {
  test("has JSON text where the contract says string", async () => {
    const { projectId, put, get } = await addProject()
    const properties = { email: "ana@example.com", plan: "free", name: "Ana" }
    const person = await addPerson(app, projectId, { distinct_ids: ["ana", "a2"], properties })
    const elements_chain = 'a.small:href="/x"nth-child="1"nth-of-type="2"text="Go"'
    const timestamp = "2026-03-02T09:00:00.250000Z"
    const [id] = await put([
      { event: "paid", timestamp, person, elements_chain, properties: { amount: 12 } },
    ])
    const { body } = await get()
    const [event] = body.results
    expect(body).toEqual({ next: null, results: [event] })
    expect(event).toMatchObject({
      id,
      distinct_id: "ana",
      event: "paid",
      timestamp,
      elements_chain,
    })
    expect(event.properties).toBe('{"amount":12}')
    expect(JSON.parse(event.person)).toEqual({
      is_identified: false,
      distinct_ids: ["ana"],
      properties: { email: "ana@example.com", name: "Ana" },
    })
    expect(JSON.parse(event.elements)).toMatchObject([
      { tag_name: "a", attr_class: ["small"], href: "/x", text: "Go", nth_child: 1, order: 0 },
    ])
  })

  test("has JSON values where `expand` asks for them", async () => {
    const { projectId, put, get } = await addProject()
    const person = await addPerson(app, projectId, { distinct_ids: ["ana"] })
    await put([{ person, properties: { a: [1] }, elements_chain: "div:" }])
    const [all] = (await get("?expand=properties,person,elements")).body.results
    expect(all.properties).toEqual({ a: [1] })
    expect(all.person).toEqual({ is_identified: false, distinct_ids: ["ana"], properties: {} })
    expect(all.elements).toMatchObject([{ tag_name: "div" }])
    const [some] = (await get("?expand=properties&expand=nonsense")).body.results
    expect(some.properties).toEqual({ a: [1] })
    expect([typeof some.person, typeof some.elements]).toEqual(["string", "string"])
  })

  test("keeps huge numbers, deep objects and odd keys", async () => {
    const { put, get } = await addProject()
    const json =
      '{"a.b":{"":[null,{"deep":1e400}],"__proto__":{}},"n":12345678901234567890,"ü":"\\u0007"}'
    await put([{ properties: parseExact(json) as JsonObject }])
    const texts = [(await get()).text, (await get("?expand=properties")).text]
    expect(JSON.parse(texts[0] ?? "").results[0].properties).toBe(json)
    expect(texts[1]).toContain(`"properties":${json},`)
  })

  test("has no person when nobody is behind it, or nobody any more", async () => {
    const setting = await addProject()
    const person = await addPerson(app, setting.projectId, { distinct_ids: ["ana"] })
    await setting.put([{ person }, {}])
    const url = `/api/projects/${setting.projectId}/persons/${person.uuid}`
    expect((await app.delete(url, setting.owner.key)).status).toBe(204)
    const { body } = await setting.get()
    expect(body.results.map((event: { person: unknown }) => event.person)).toEqual(["null", "null"])
  })

  test("has a time without a fraction where there is none", async () => {
    const { put, get } = await addProject()
    await put([{ timestamp: "2026-03-02T09:00:00Z" }])
    expect((await get()).body.results[0].timestamp).toBe("2026-03-02T09:00:00Z")
  })
})

describe("filters of the list", () => {
  test("after and before are exclusive", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "one", timestamp: "2026-03-01T10:00:00Z" },
      { event: "two", timestamp: "2026-03-01T11:00:00Z" },
      { event: "three", timestamp: "2026-03-01T12:00:00Z" },
    ])
    const after = "2026-03-01T10:00:00Z"
    expect(await listNames(setting, { after })).toEqual(["three", "two"])
    expect(await listNames(setting, { before: "2026-03-01T12:00:00Z" })).toEqual(["two", "one"])
    expect(await listNames(setting, { after, before: "2026-03-01T12:00:00Z" })).toEqual(["two"])
  })

  test("relative times mean that long ago", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "old", timestamp: ago(4 * DAY_MS + MINUTE_MS) },
      { event: "days", timestamp: ago(4 * DAY_MS - MINUTE_MS) },
      { event: "hours", timestamp: ago(2 * HOUR_MS - MINUTE_MS) },
    ])
    expect(await listNames(setting, { after: "4d" })).toEqual(["hours", "days"])
    expect(await listNames(setting, { after: "-4d" })).toEqual(["hours", "days"])
    expect(await listNames(setting, { after: "2h" })).toEqual(["hours"])
    expect(await listNames(setting, { before: "2h" })).toEqual(["days", "old"])
  })

  test("times without an offset are the project's", async () => {
    const setting = await addProject()
    const { projectId, owner, put } = setting
    await app.patch(`/api/projects/${projectId}`, owner.key, { timezone: "Asia/Tokyo" })
    await put([{ event: "one", timestamp: "2026-03-01T00:30:00Z" }])
    expect(await listNames(setting, { after: "2026-03-01T09:00:00" })).toEqual(["one"])
    expect(await listNames(setting, { after: "2026-03-01T10:00:00" })).toEqual([])
    expect(await listNames(setting, { after: "2026-03-01T10:00:00+09:00" })).toEqual([])
  })

  test("a time that is none is refused, with its name", async () => {
    const { get } = await addProject()
    for (const name of ["after", "before"]) {
      const { status, body } = await get(`?${name}=soon`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ type: "validation_error", code: "invalid_input", attr: name })
    }
  })

  test("events of the future are hidden beyond five seconds", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "soon", timestamp: ago(-4_000) },
      { event: "later", timestamp: ago(-10_000) },
    ])
    expect(await listNames(setting)).toEqual(["soon"])
    expect(await listNames(setting, { before: "2026-03-02T10:00:20Z" })).toEqual(["later", "soon"])
  })

  test("event and distinct_id are compared as they are", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "paid", distinct_id: "17" },
      { event: "Paid", distinct_id: "bo" },
    ])
    expect(await listNames(setting, { event: "paid" })).toEqual(["paid"])
    expect(await listNames(setting, { distinct_id: "17" })).toEqual(["paid"])
    expect(await listNames(setting, { distinct_id: "bo", event: "paid" })).toEqual([])
  })

  test("person_id is a number or a uuid, and means all events that are the person's now", async () => {
    const setting = await addProject()
    const { projectId, put } = setting
    const ana = await addPerson(app, projectId, { distinct_ids: ["ana"] })
    const bo = await addPerson(app, projectId, { distinct_ids: ["bo"] })
    const before = { uuid: newUuid(), snapshot_id: ana.snapshot_id }
    await put([
      { event: "ana", person: ana },
      { event: "bo", person: bo },
      { event: "anonymous", person: before },
    ])
    const sorted = async (person_id: string) => (await listNames(setting, { person_id })).toSorted()
    expect(await sorted(String(ana.id))).toEqual(["ana"])
    await putOverrides(app, [
      { project_id: projectId, old_person_id: before.uuid, person_id: ana.uuid },
    ])
    expect(await sorted(String(ana.id))).toEqual(["ana", "anonymous"])
    expect(await sorted(ana.uuid.toUpperCase())).toEqual(["ana", "anonymous"])
    expect(await sorted(before.uuid)).toEqual([])
  })

  test("an unknown person has no events", async () => {
    const setting = await addProject()
    await setting.put([{}])
    for (const person_id of ["999999999", newUuid(), "nobody", "9".repeat(40)]) {
      expect(await listNames(setting, { person_id })).toEqual([])
    }
  })

  test("action_id is refused instead of ignored", async () => {
    const { get } = await addProject()
    const { status, body } = await get("?action_id=1")
    expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "action_id"])
  })

  test("of another project never match", async () => {
    const [here, there] = [await addProject(), await addProject()]
    await here.put([{ event: "secret" }])
    expect(await listNames(there)).toEqual([])
    const { status, body } = await app.get(here.url, there.owner.key)
    expect([status, body.code]).toEqual([403, "permission_denied"])
  })
})

describe("property filters of the list", () => {
  async function addBrowsers() {
    const setting = await addProject()
    const { projectId, put } = setting
    const person = await addPerson(app, projectId, {
      distinct_ids: ["ana"],
      properties: { plan: "free" },
    })
    await put([
      { event: "mac", properties: { $browser: "Safari", $os: "Mac", n: 2 }, person },
      { event: "win", properties: { $browser: "IE7", $os: "Windows", n: 5 } },
      { event: "none" },
    ])
    const find = async (properties: unknown) => {
      const text = typeof properties === "string" ? properties : JSON.stringify(properties)
      return (await listNames(setting, { properties: text })).toSorted()
    }
    return { ...setting, find, person }
  }

  test("a list means all of them", async () => {
    const { find } = await addBrowsers()
    expect(await find([{ key: "$os", value: "Mac" }])).toEqual(["mac"])
    expect(
      await find([
        { key: "$os", value: "Mac" },
        { key: "n", value: 5 },
      ]),
    ).toEqual([])
    expect(await find([{ key: "n", value: 3, operator: "gt" }])).toEqual(["win"])
    expect(await find([{ key: "plan", value: "free", type: "person" }])).toEqual(["mac"])
  })

  test("a group means what it says", async () => {
    const { find } = await addBrowsers()
    const values = [
      { key: "$os", value: "Mac" },
      { key: "n", value: "5" },
    ]
    expect(await find({ type: "OR", values })).toEqual(["mac", "win"])
    expect(await find({ type: "AND", values: [{ type: "or", values }] })).toEqual(["mac", "win"])
  })

  test("the old form of a dictionary is understood", async () => {
    const { find } = await addBrowsers()
    expect(await find({ $browser__is_not: "IE7", $os: "Mac" })).toEqual(["mac"])
    expect(await find({ $browser__is_not: "IE7" })).toEqual(["mac", "none"])
  })

  test("given more than once, all of them are meant", async () => {
    const { get } = await addBrowsers()
    const filters = [
      { key: "$os", operator: "is_set" },
      { key: "$browser", value: "IE7" },
    ]
    const query = filters.map((each) => `properties=${encodeURIComponent(JSON.stringify(each))}`)
    const { body } = await get(`?${query.join("&")}`)
    expect(body.results).toMatchObject([{ event: "win" }])
  })

  test("a person is found by any of its distinct ids", async () => {
    const { find } = await addBrowsers()
    expect(await find([{ key: "distinct_id", value: "ana", type: "person" }])).toEqual(["mac"])
    expect(await find([{ key: "distinct_id", value: "a\u0000b", type: "person" }])).toEqual([])
  })

  test("what can not be read is refused", async () => {
    const { get } = await addBrowsers()
    for (const text of ["{nope", '[{"key":"a","value":1,"type":"moon"}]', "17"]) {
      const { status, body } = await get(`?properties=${encodeURIComponent(text)}`)
      expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "properties"])
    }
  })
})
