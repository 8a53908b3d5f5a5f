import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { type EventDraft, putEvents, putOverrides } from "../../../test/support/events.ts"
import { addPerson } from "../../../test/support/persons.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

async function addProject() {
  const { project, owner } = await app.addOrganization()
  const url = `/api/projects/${project.id}/events`
  return {
    ...{ projectId: project.id, owner, url },
    put: (drafts: readonly EventDraft[]) => putEvents(app, project.id, drafts),
    get: (path = "") => app.get(`${url}${path}`, owner.key),
  }
}

type Setting = Awaited<ReturnType<typeof addProject>>

/** The names of the events of a list. */
async function namesOf({ get }: Setting, query: Record<string, string> = {}): Promise<string[]> {
  const { status, body, text } = await get(`?${new URLSearchParams(query)}`)
  expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()])
  return body.results.map(({ event }: { event: string }) => event)
}

function ago(ms: number): string {
  return new Date(Date.parse(START) - ms).toISOString()
}

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
    const { projectId, put, get } = await addProject()
    const { columnar } = app.app.services
    await put([{ properties: { "a.b": { "": [null, { deep: true }] }, ü: "\u2028" } }])
    const [event] = (await get()).body.results
    expect(JSON.parse(event.properties)).toEqual({
      "a.b": { "": [null, { deep: true }] },
      ü: "\u2028",
    })
    expect(columnar).toBeDefined()
    expect(projectId).toBeGreaterThan(0)
  })

  test("has no person when nobody is behind it, or nobody any more", async () => {
    const setting = await addProject()
    const person = await addPerson(app, setting.projectId, { distinct_ids: ["ana"] })
    await setting.put([{ person }, {}])
    const url = `/api/projects/${setting.projectId}/persons/${person.uuid}`
    expect((await app.delete(url, setting.owner.key)).status).toBe(204)
    const { body } = await setting.get()
    expect(body.results.map((event: { person: unknown }) => event.person)).toEqual([null, null])
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
    expect(await namesOf(setting, { after })).toEqual(["three", "two"])
    expect(await namesOf(setting, { before: "2026-03-01T12:00:00Z" })).toEqual(["two", "one"])
    expect(await namesOf(setting, { after, before: "2026-03-01T12:00:00Z" })).toEqual(["two"])
  })

  test("relative times mean that long ago", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "old", timestamp: ago(4 * DAY_MS + MINUTE_MS) },
      { event: "days", timestamp: ago(4 * DAY_MS - MINUTE_MS) },
      { event: "hours", timestamp: ago(2 * HOUR_MS - MINUTE_MS) },
    ])
    expect(await namesOf(setting, { after: "4d" })).toEqual(["hours", "days"])
    expect(await namesOf(setting, { after: "-4d" })).toEqual(["hours", "days"])
    expect(await namesOf(setting, { after: "2h" })).toEqual(["hours"])
    expect(await namesOf(setting, { before: "2h" })).toEqual(["days", "old"])
  })

  test("times without an offset are the project's", async () => {
    const setting = await addProject()
    const { projectId, owner, put } = setting
    await app.patch(`/api/projects/${projectId}`, owner.key, { timezone: "Asia/Tokyo" })
    await put([{ event: "one", timestamp: "2026-03-01T00:30:00Z" }])
    expect(await namesOf(setting, { after: "2026-03-01T09:00:00" })).toEqual(["one"])
    expect(await namesOf(setting, { after: "2026-03-01T10:00:00" })).toEqual([])
    expect(await namesOf(setting, { after: "2026-03-01T10:00:00+09:00" })).toEqual([])
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
    expect(await namesOf(setting)).toEqual(["soon"])
    expect(await namesOf(setting, { before: "2026-03-02T10:00:20Z" })).toEqual(["later", "soon"])
  })

  test("event and distinct_id are compared as they are", async () => {
    const setting = await addProject()
    await setting.put([
      { event: "paid", distinct_id: "17" },
      { event: "Paid", distinct_id: "bo" },
    ])
    expect(await namesOf(setting, { event: "paid" })).toEqual(["paid"])
    expect(await namesOf(setting, { distinct_id: "17" })).toEqual(["paid"])
    expect(await namesOf(setting, { distinct_id: "bo", event: "paid" })).toEqual([])
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
    const sorted = async (person_id: string) => (await namesOf(setting, { person_id })).toSorted()
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
      expect(await namesOf(setting, { person_id })).toEqual([])
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
    expect(await namesOf(there)).toEqual([])
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
      return (await namesOf(setting, { properties: text })).toSorted()
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

describe("the pages of the list", () => {
  /** All pages, by following `next`. */
  async function pagesOf({ get, owner }: Setting, query = ""): Promise<string[][]> {
    const pages: string[][] = []
    let { body } = await get(query)
    for (;;) {
      pages.push(body.results.map(({ event }: { event: string }) => event))
      if (body.next === null) return pages
      const { pathname, search } = new URL(body.next)
      body = (await app.get(`${pathname}${search}`, owner.key)).body
    }
  }

  const numbered = (count: number, timestampOf: (index: number) => string): EventDraft[] =>
    Array.from({ length: count }, (_, index) => ({
      event: `e${index}`,
      timestamp: timestampOf(index),
    }))

  test("of 250 events are 100, 100 and 50", async () => {
    const setting = await addProject()
    await setting.put(numbered(250, (index) => ago(index * MINUTE_MS)))
    const pages = await pagesOf(setting)
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(pages.flat()).toEqual(Array.from({ length: 250 }, (_, index) => `e${index}`))
  })

  test("hold 10, 10 and 3 of the 23 events between two times", async () => {
    const setting = await addProject()
    await setting.put(numbered(25, (index) => ago(index * MINUTE_MS)))
    const query = new URLSearchParams({ after: ago(24 * MINUTE_MS), before: ago(0), limit: "10" })
    expect((await pagesOf(setting, `?${query}`)).map(({ length }) => length)).toEqual([10, 10, 3])
  })

  test("lose and repeat nothing when many events have the same time", async () => {
    const setting = await addProject()
    await setting.put(numbered(35, (index) => ago(Math.floor(index / 12) * 1_000)))
    for (const order of ["", "&orderBy=[%22timestamp%22]"]) {
      const pages = await pagesOf(setting, `?limit=7${order}`)
      expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 7])
      expect(new Set(pages.flat()).size).toBe(35)
    }
  })

  test("are the same when they reach over more than a day", async () => {
    const setting = await addProject()
    await setting.put(numbered(9, (index) => ago(index * 7 * HOUR_MS)))
    const pages = await pagesOf(setting, "?limit=2")
    expect(pages.flat()).toEqual(Array.from({ length: 9 }, (_, index) => `e${index}`))
    expect(pages).toHaveLength(5)
  })

  test("skip an offset once", async () => {
    const setting = await addProject()
    await setting.put(numbered(7, (index) => ago(index * MINUTE_MS)))
    expect(await pagesOf(setting, "?limit=3&offset=2")).toEqual([
      ["e2", "e3", "e4"],
      ["e5", "e6"],
    ])
    expect((await pagesOf(setting, "?limit=3&offset=junk")).flat()).toHaveLength(7)
  })

  test("do not move when time goes on", async () => {
    const setting = await addProject()
    const { put, get, owner } = setting
    await put(numbered(3, (index) => ago(HOUR_MS - (3 - index) * 1_000)))
    const { body } = await get("?after=1h&limit=2")
    app.clock.advanceMs(MINUTE_MS)
    await put([{ event: "new" }])
    const { pathname, search } = new URL(body.next)
    const second = await app.get(`${pathname}${search}`, owner.key)
    app.clock.advanceMs(-MINUTE_MS)
    expect(second.body).toMatchObject({ next: null, results: [{ event: "e2" }] })
  })

  test("keep the other parameters in `next`, but no key", async () => {
    const { put, url, owner } = await addProject()
    await put(numbered(2, (index) => ago(index)))
    const { body } = await app.get(`${url}?limit=1&event=&personal_api_key=${owner.key}`)
    expect(body.next).toContain("limit=1")
    expect(body.next).not.toContain(owner.key)
  })

  test("ascend for any other order", async () => {
    const setting = await addProject()
    await setting.put(numbered(2, (index) => ago(index * MINUTE_MS)))
    expect(await namesOf(setting, { orderBy: '["-timestamp"]' })).toEqual(["e0", "e1"])
    for (const orderBy of ['["timestamp"]', '["event"]', "[]"]) {
      expect(await namesOf(setting, { orderBy })).toEqual(["e1", "e0"])
    }
    const { status, body } = await setting.get("?orderBy=timestamp")
    expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "orderBy"])
  })

  test("have 100 events for a limit that is none, and never an error", async () => {
    const setting = await addProject()
    await setting.put(numbered(101, (index) => ago(index)))
    for (const limit of ["junk", "0", "-1", ""]) {
      expect(await namesOf(setting, { limit })).toHaveLength(100)
    }
    expect(await namesOf(setting, { limit: "99999999" })).toHaveLength(101)
  })

  test("refuse a cursor that is not theirs", async () => {
    const { get } = await addProject()
    for (const cursor of ["x", "W10", Buffer.from('["2026",1]').toString("base64url")]) {
      const { status, body } = await get(`?cursor=${cursor}`)
      expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "cursor"])
    }
  })
})

describe("the list as CSV", () => {
  test("has a line for the columns and one for each event", async () => {
    const { put, get } = await addProject()
    const [id] = await put([
      { event: 'a "b"', properties: { a: 1 }, timestamp: "2026-03-02T09:00:00Z" },
    ])
    const { status, text, headers } = await get("?format=csv")
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(text).toBe(
      "id,event,timestamp,distinct_id,person,properties,elements,elements_chain\r\n" +
        `${id},"a ""b""",2026-03-02T09:00:00Z,ana,,"{""a"":1}",[],\r\n`,
    )
  })

  test("has 3,500 events by default", async () => {
    const { put, get } = await addProject()
    await put(Array.from({ length: 3_501 }, () => ({})))
    const lines = async (query: string) => (await get(query)).text.trim().split("\r\n").length - 1
    expect(await lines("?format=csv")).toBe(3_500)
    expect(await lines("?format=csv&limit=5000")).toBe(3_501)
    expect(await lines("?format=csv&limit=2")).toBe(2)
  })

  test("is refused for any other format", async () => {
    const { get } = await addProject()
    for (const path of ["", "/values", `/${newUuid()}`]) {
      const { status, body } = await get(`${path}?format=xml`)
      if (path.length > 10) expect(status).toBe(404)
      else expect([status, body.code, body.attr]).toEqual([400, "invalid_choice", "format"])
    }
  })
})
