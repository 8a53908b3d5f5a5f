import { beforeAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const testApp = useTestApp()

describe("a list of events", () => {
  let url = ""
  let key = ""
  beforeAll(async () => {
    const { project, owner } = await testApp.addOrganization()
    url = `/api/projects/${project.id}/events`
    key = owner.key
    await testApp.capture(
      project,
      [1, 2, 3].map((n) => ({
        event: n === 3 ? "other" : "seen",
        distinct_id: "it's",
        timestamp: `2026-03-02T09:0${n}:00Z`,
        properties: { n },
      })),
    )
  })
  const get = (parameters: Record<string, unknown>) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    )
    return testApp.get(`${url}?${query}`, key)
  }

  test("keeps to the expressions of where", async () => {
    const { status, body } = await get({ where: ["properties.n > 1", "event = 'seen'"] })
    expect(status).toBe(200)
    expect(
      body.results.map((event: { properties: string }) => JSON.parse(event.properties).n),
    ).toEqual([2])
  })

  test("takes an expression as a property filter", async () => {
    const { body } = await get({ properties: [{ type: "hogql", key: "properties.n = 3" }] })
    expect(body.results).toHaveLength(1)
  })

  test("answers the expressions of select, a page at a time", async () => {
    const asked = {
      select: ["properties.n", "event"],
      distinct_id: "it's",
      limit: "2",
      orderBy: ["-timestamp"],
    }
    const { status, body } = await get(asked)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      columns: ["properties.n", "event"],
      types: ["Nullable(String)", "String"],
      results: [
        ["3", "other"],
        ["2", "seen"],
      ],
    })
    const next = await testApp.get(body.next.slice(body.next.indexOf("/api/")), key)
    expect(next.body).toMatchObject({ next: null, results: [["1", "seen"]] })
  })

  test("answers every event once, however many are of the same moment", async () => {
    const { project, owner } = await testApp.addOrganization()
    const events = Array.from({ length: 30 }, (_, i) => ({
      event: "seen",
      distinct_id: "ana",
      timestamp: `2026-03-02T09:00:0${i % 3}Z`,
      properties: { i },
    }))
    await testApp.capture(project, events)
    const seen: string[] = []
    const select = encodeURIComponent('["properties.i"]')
    const order = encodeURIComponent('["timestamp"]')
    let next: string | null =
      `/api/projects/${project.id}/events?select=${select}&orderBy=${order}&limit=7`
    while (next !== null) {
      const { body } = await testApp.get(next, owner.key)
      seen.push(...body.results.flat())
      next = body.next === null ? null : body.next.slice(body.next.indexOf("/api/"))
    }
    expect(new Set(seen).size).toBe(30)
    expect(seen).toHaveLength(30)
  })

  test("groups by what is no figure in select", async () => {
    const { body } = await get({ select: ["count()", "event"] })
    expect(body.results).toEqual([
      [2, "seen"],
      [1, "other"],
    ])
  })

  test.each<[parameters: Record<string, unknown>, attr: string]>([
    [{ where: ["nothing = 1"] }, "where"],
    [{ where: ["count() > 1"] }, "where"],
    [{ where: "[1]" }, "where"],
    [{ select: "[" }, "select"],
    [{ select: [] }, "select"],
  ])("refuses %o", async (parameters, attr) => {
    const { status, body } = await get(parameters)
    expect([status, body.type, body.attr]).toEqual([400, "validation_error", attr])
  })
})
