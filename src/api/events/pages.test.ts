import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import {
  addEventProject,
  ago,
  type EventDraft,
  type EventProject,
  listNames,
} from "../../../test/support/events.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const addProject = () => addEventProject(app)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe("the pages of the list", () => {
  /** All pages, by following `next`. */
  async function pagesOf({ get, owner }: EventProject, query = ""): Promise<string[][]> {
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
    expect(await listNames(setting, { orderBy: '["-timestamp"]' })).toEqual(["e0", "e1"])
    for (const orderBy of ['["timestamp"]', '["event"]', "[]"]) {
      expect(await listNames(setting, { orderBy })).toEqual(["e1", "e0"])
    }
    const { status, body } = await setting.get("?orderBy=timestamp")
    expect([status, body.code, body.attr]).toEqual([400, "invalid_input", "orderBy"])
  })

  test("have 100 events for a limit that is none, and never an error", async () => {
    const setting = await addProject()
    await setting.put(numbered(101, (index) => ago(index)))
    for (const limit of ["junk", "0", "-1", ""]) {
      expect(await listNames(setting, { limit })).toHaveLength(100)
    }
    expect(await listNames(setting, { limit: "99999999" })).toHaveLength(101)
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
