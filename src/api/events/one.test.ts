import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addEventProject, ago } from "../../../test/support/events.ts"
import { addPerson } from "../../../test/support/persons.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()
const addProject = () => addEventProject(app)

const DAY_MS = 24 * 60 * 60 * 1_000

describe("one event", () => {
  test("is found by its id, however that is written", async () => {
    const { put, get } = await addProject()
    const [id = ""] = await put([{ event: "paid", properties: { a: 1 } }])
    for (const name of [id, id.toUpperCase()]) {
      const { status, body } = await get(`/${name}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, event: "paid", properties: '{"a":1}', elements: "[]" })
    }
  })

  test("has its person only where that is asked for", async () => {
    const { projectId, put, get } = await addProject()
    const properties = { email: "ana@example.com" }
    const person = await addPerson(app, projectId, { distinct_ids: ["ana"], properties })
    const [id] = await put([{ person }])
    expect((await get(`/${id}`)).body.person).toBe("null")
    expect((await get(`/${id}?include_person=false`)).body.person).toBe("null")
    const shown = { is_identified: false, distinct_ids: ["ana"], properties }
    expect(JSON.parse((await get(`/${id}?include_person=true`)).body.person)).toEqual(shown)
    expect((await get(`/${id}?expand=person`)).body.person).toEqual(shown)
  })

  test("is expanded like those of the list", async () => {
    const { put, get } = await addProject()
    const [id] = await put([{ properties: { a: { b: 1 } }, elements_chain: "div:" }])
    const { body } = await get(`/${id}?expand=properties,elements`)
    expect(body.properties).toEqual({ a: { b: 1 } })
    expect(body.elements).toMatchObject([{ tag_name: "div" }])
  })

  test("is one line of CSV", async () => {
    const { put, get } = await addProject()
    const [id] = await put([{ event: "paid" }])
    const { text } = await get(`/${id}?format=csv`)
    expect(text.split("\r\n")[1]).toMatch(`${id},paid,`)
  })

  test("whose id is no UUID is a mistake of the caller", async () => {
    const { get } = await addProject()
    const { status, body } = await get("/seventeen")
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "invalid", attr: null })
    expect(body.detail).toContain('"seventeen"')
  })

  test("that is not there, or elsewhere, is not found by its name", async () => {
    const [{ get }, there] = [await addProject(), await addProject()]
    const [foreign] = await there.put([{}])
    for (const id of [newUuid(), foreign]) {
      const { status, body } = await get(`/${id}`)
      expect([status, body.type, body.code]).toEqual([404, "invalid_request", "not_found"])
      expect(body.detail).toContain(id)
    }
  })

  test("needs the scope query:read, as all events do", async () => {
    const { put, url, owner } = await addProject()
    const [id] = await put([{}])
    const narrow = await app.addKey(owner.id, { scopes: ["person:read"] })
    const right = await app.addKey(owner.id, { scopes: ["query:read"] })
    for (const path of ["", `/${id}`, "/values?key=a"]) {
      const { status, body } = await app.get(`${url}${path}`, narrow)
      expect([status, body.code]).toEqual([403, "permission_denied"])
      expect((await app.get(`${url}${path}`, right)).status).toBe(200)
    }
  })
})

describe("the values of a property", () => {
  async function addColours() {
    const setting = await addProject()
    const colours = ["red", "red", "Dark Blue", true, 7, 7.5, null, "", ["red", "green", "red"], []]
    await setting.put([
      ...colours.map((colour) => ({ properties: { colour } })),
      { properties: { colour: { light: "pink" } } },
      { event: "painted", properties: { colour: "black" } },
      { properties: { colour: "old" }, timestamp: ago(7 * DAY_MS + 60_000) },
      { properties: { other: "x" } },
    ])
    const find = async (query: string) => (await setting.get(`/values?${query}`)).body.results
    return { ...setting, find }
  }

  test("of the last seven days are counted, elements of lists one by one", async () => {
    const { get } = await addColours()
    const { status, body } = await get("/values?key=colour")
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 8, next: null, previous: null })
    expect(body.results).toEqual([
      { name: "red", count: 3 },
      { name: "7", count: 1 },
      { name: "7.5", count: 1 },
      { name: "Dark Blue", count: 1 },
      { name: "black", count: 1 },
      { name: "green", count: 1 },
      { name: "true", count: 1 },
      { name: '{"light":"pink"}', count: 1 },
    ])
  })

  test("can be narrowed to a part, in any case", async () => {
    const { find } = await addColours()
    expect(await find("key=colour&value=blUE")).toEqual([{ name: "Dark Blue", count: 1 }])
    expect(await find("key=colour&value=gree")).toEqual([{ name: "green", count: 1 }])
    expect(await find("key=colour&value=nothing")).toEqual([])
  })

  test("can be narrowed to events, named once or more often", async () => {
    const { find } = await addColours()
    const painted = [{ name: "black", count: 1 }]
    expect(await find("key=colour&event_name=painted")).toEqual(painted)
    expect(await find("key=colour&event_name[]=painted&event_name[]=x")).toEqual(painted)
    expect(await find("key=colour&event_name=painted&event_name=seen&value=bla")).toEqual(painted)
  })

  test("are ten at most", async () => {
    const { put, get } = await addProject()
    await put(Array.from({ length: 12 }, (_, n) => ({ properties: { n } })))
    expect((await get("/values?key=n")).body.results).toHaveLength(10)
    expect((await get("/values?key=n&limit=3")).body).toMatchObject({ count: 10 })
  })

  test("are none without a key", async () => {
    const { get } = await addColours()
    for (const query of ["", "?key=", "?value=red"]) {
      expect((await get(`/values${query}`)).body).toMatchObject({ count: 0, results: [] })
    }
  })

  test("of custom_event are the names that clients made up", async () => {
    const { put, find } = await addColours()
    await put([{ event: "$pageview" }, { event: "%odd" }, { event: "#odd" }])
    expect(await find("key=custom_event")).toEqual([
      { name: "seen", count: 13 },
      { name: "#odd", count: 1 },
      { name: "%odd", count: 1 },
      { name: "painted", count: 1 },
    ])
    expect(await find("key=custom_event&value=ODD")).toHaveLength(2)
  })

  test("come as CSV too", async () => {
    const { get } = await addColours()
    const { text } = await get("/values?key=colour&value=re&format=csv")
    expect(text).toBe("name,count\r\nred,3\r\ngreen,1\r\n")
  })

  test("have keys as odd as the properties", async () => {
    const { put, get } = await addProject()
    await put([{ properties: { 'a."b" $c': "x" } }])
    const { body } = await get(`/values?key=${encodeURIComponent('a."b" $c')}`)
    expect(body.results).toEqual([{ name: "x", count: 1 }])
  })
})
