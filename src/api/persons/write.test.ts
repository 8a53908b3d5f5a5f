import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson, listEvents } from "../../../test/support/persons.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

async function addOne(properties: JsonObject = {}) {
  const { owner, project } = await app.addOrganization()
  const person = await addPerson(app, project.id, { distinct_ids: ["ana", "bo"], properties })
  const list = `/api/projects/${project.id}/persons`
  const url = `${list}/${person.id}`
  return {
    ...{ owner, project, person, url, list },
    post: (action: string, body?: unknown) => app.post(`${url}/${action}`, owner.key, body),
    patch: (body: unknown) => app.patch(url, owner.key, body),
    properties: async () => (await app.get(url, owner.key)).body.properties,
    events: async () => {
      const events = await listEvents(app, project.id)
      return events.map(({ event, distinct_id, properties: held }) => [event, distinct_id, held])
    },
    activity: async () => (await app.get(`${url}/activity`, owner.key)).body.results,
    found: async (key: string, value: unknown) => {
      const filters = encodeURIComponent(JSON.stringify([{ key, value, type: "person" }]))
      return (await app.get(`${list}?properties=${filters}`, owner.key)).body.count
    },
  }
}

describe.each(["PATCH", "PUT"])("%s of a person", (method) => {
  test("merges properties, as a captured $set does, and is seen by the next read", async () => {
    const one = await addOne({ plan: "free", age: 7 })
    const properties = { plan: "paid", tags: ["x"], none: null }
    const { status, body } = await app.call(method, one.url, {
      key: one.owner.key,
      body: { properties },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: one.person.id, uuid: one.person.uuid, name: "ana" })
    expect(body.properties).toEqual({ age: 7, ...properties })
    expect(await one.properties()).toEqual(body.properties)
    expect(await one.found("plan", "paid")).toBe(1)
    expect(await one.found("plan", "free")).toBe(0)
    expect(await one.events()).toEqual([["$set", "ana", { $set: properties }]])
  })

  test("is told in the activity, without the values", async () => {
    const one = await addOne()
    await app.call(method, one.url, { key: one.owner.key, body: { properties: { a: 1 } } })
    expect(await one.activity()).toMatchObject([
      {
        activity: "updated",
        scope: "Person",
        item_id: String(one.person.id),
        user: { email: one.owner.email },
        detail: {
          changes: [
            { type: "Person", action: "changed", field: "properties", before: null, after: null },
          ],
        },
      },
    ])
  })
})

describe("an update of a person", () => {
  test.each([
    [{}, "required"],
    [{ properties: null }, "null"],
    [{ properties: [] }, "invalid_input"],
    [{ properties: "x" }, "invalid_input"],
  ])("with the body %j is refused", async (body, code) => {
    const one = await addOne({ plan: "free" })
    const answer = await one.patch(body)
    expect([answer.status, answer.body.type, answer.body.code, answer.body.attr]).toEqual([
      ...[400, "validation_error"],
      ...[code, "properties"],
    ])
    expect(await one.properties()).toEqual({ plan: "free" })
    expect(await one.events()).toEqual([])
  })

  test("that changes nothing is fine, and no news", async () => {
    const one = await addOne({ plan: "free" })
    expect((await one.patch({ properties: { plan: "free" } })).status).toBe(200)
    expect((await one.patch({ properties: {} })).status).toBe(200)
    expect(await one.activity()).toEqual([])
    const [row] = await app.db`select version from person where id = ${one.person.id}`
    expect(row?.version).toBe(1)
  })

  test("keeps every digit, and keys of any kind", async () => {
    const one = await addOne()
    const text = '{"n":12345678901234567890,"__proto__":{"x":1},"":2,"a.b":[1.50]}'
    const { status, text: answer } = await app.call("PATCH", one.url, {
      key: one.owner.key,
      body: `{"properties":${text}}`,
      headers: { "content-type": "application/json" },
    })
    expect(status).toBe(200)
    const kept = '{"n":12345678901234567890,"__proto__":{"x":1},"":2,"a.b":[1.5]}'
    expect(answer).toContain(`"properties":${kept}`)
    expect((await app.get(one.url, one.owner.key)).text).toContain(`"properties":${kept}`)
  })

  test("takes no more than 512 KiB in all, but lets what is larger shrink", async () => {
    const one = await addOne({ old: "x".repeat(600_000), other: 1 })
    const { status, body } = await one.patch({ properties: { more: 1 } })
    expect([status, body.code, body.attr]).toEqual([400, "max_length", "properties"])
    expect((await one.post("delete_property", { $unset: "other" })).status).toBe(200)
    expect((await one.patch({ properties: { old: "x".repeat(500_000) } })).status).toBe(200)
    expect((await one.patch({ properties: { more: "x".repeat(100_000) } })).status).toBe(400)
  })

  test("can be answered as CSV", async () => {
    const one = await addOne()
    const { status, text } = await app.call("PATCH", `${one.url}?format=csv`, {
      key: one.owner.key,
      body: { properties: { a: 1 } },
    })
    expect(status).toBe(200)
    expect(text.split("\r\n")[1]).toContain('"{""a"":1}"')
  })
})

describe("update_property", () => {
  test.each([["text"], [0], [false], [null], [["a"]], [{ b: 1 }]])("sets %j", async (value) => {
    const one = await addOne({ plan: "free" })
    const { status, body } = await one.post("update_property", { key: "plan", value })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: one.person.id, success: true, properties: { plan: value } })
    expect(await one.properties()).toEqual({ plan: value })
    expect(await one.events()).toEqual([["$set", "ana", { $set: { plan: value } }]])
    expect(await one.activity()).toMatchObject([
      {
        activity: "updated",
        detail: { changes: [{ action: "changed", field: "plan", before: "free", after: value }] },
      },
    ])
  })

  test("takes key and value from the query too, the value as text", async () => {
    const one = await addOne()
    const { body } = await one.post("update_property?key=age&value=7")
    expect(body.properties).toEqual({ age: "7" })
    const both = await one.post("update_property?key=no&value=no", { key: "age", value: 8 })
    expect(both.body.properties).toEqual({ age: 8 })
  })

  test.each([
    [{}, "required", "value"],
    [{ key: "a" }, "required", "value"],
    [{ value: 1 }, "required", "key"],
    [{ key: "", value: 1 }, "blank", "key"],
    [{ key: 5, value: 1 }, "invalid_input", "key"],
    [{ key: "a", value: "\u0000" }, "invalid_input", "value"],
  ])("refuses %j", async (sent, code, attr) => {
    const one = await addOne()
    const { status, body } = await one.post("update_property", sent)
    expect([status, body.code, body.attr]).toEqual([400, code, attr])
    expect(await one.events()).toEqual([])
  })

  test("logs the beginning of what is long or cannot be stored", async () => {
    const one = await addOne({ odd: "a\u0000b", long: "y".repeat(5_000), tree: { n: "\u0000" } })
    for (const key of ["odd", "long", "tree"]) await one.post("update_property", { key, value: 1 })
    const activity = await one.activity()
    const before = activity.map((entry: { detail: { changes: { before: unknown }[] } }) =>
      String(JSON.stringify(entry.detail.changes[0]?.before)),
    )
    expect(before[2]).toBe('"a\ufffdb"')
    expect(before[1]).toHaveLength(1_002)
    expect(before[0]).not.toContain("u0000")
  })
})

describe("delete_property", () => {
  test.each([
    ["a key in the body", "delete_property", { $unset: "plan" }, ["plan"]],
    ["keys in the body", "delete_property", { $unset: ["plan", "age"] }, ["plan", "age"]],
    ["a key in the query", "delete_property?$unset=plan", {}, ["plan"]],
  ])("removes %s", async (_name, action, sent, keys) => {
    const one = await addOne({ plan: "free", age: 7, left: true })
    const { status, body } = await one.post(action, sent)
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(Object.keys(body.properties)).not.toEqual(expect.arrayContaining(keys))
    expect(await one.properties()).toEqual(body.properties)
    expect(body.properties.left).toBe(true)
    expect(await one.found("plan", "free")).toBe(0)
    expect(await one.events()).toEqual([["$delete_person_property", "ana", { $unset: keys }]])
    const [entry] = await one.activity()
    expect(entry).toMatchObject({ activity: "delete_property" })
    expect(entry.detail.changes[0]).toMatchObject({
      ...{ action: "deleted", field: "plan", before: "free", after: null },
    })
  })

  test("of a key that is not there is fine", async () => {
    const one = await addOne({ plan: "free" })
    const { status, body } = await one.post("delete_property", { $unset: "toString" })
    expect([status, body.properties]).toEqual([200, { plan: "free" }])
  })

  test.each([
    [{}, "required"],
    [{ $unset: "" }, "blank"],
    [{ $unset: 5 }, "invalid_input"],
    [{ $unset: ["a", ""] }, "blank"],
  ])("refuses %j", async (sent, code) => {
    const one = await addOne({ plan: "free" })
    const { status, body } = await one.post("delete_property", sent)
    expect([status, body.code, body.attr]).toEqual([400, code, "$unset"])
  })
})
