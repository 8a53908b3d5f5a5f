import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson } from "../../../test/support/persons.ts"
import { parseExact } from "../../lib/exact-json.ts"
import { newUuid } from "../../lib/ids.ts"
import type { JsonObject } from "../../lib/json.ts"

const app = useTestApp()

async function addOne(properties: JsonObject = {}) {
  const { owner, project } = await app.addOrganization()
  const person = await addPerson(app, project.id, { distinct_ids: ["ana"], properties })
  const url = `/api/projects/${project.id}/persons`
  return { owner, project, person, url, get: (id: unknown) => app.get(`${url}/${id}`, owner.key) }
}

describe("one person", () => {
  test("is found by its number and by its UUID in any case", async () => {
    const { person, get } = await addOne({ plan: "free" })
    for (const id of [person.id, person.uuid, person.uuid.toUpperCase()]) {
      const { status, body } = await get(id)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id: person.id,
        uuid: person.uuid,
        name: "ana",
        distinct_ids: ["ana"],
        properties: { plan: "free" },
        created_at: "2026-03-02T10:00:00Z",
      })
    }
  })

  test.each(["0", "999999999", "9".repeat(40), newUuid()])("named %s is not there", async (id) => {
    const { get } = await addOne()
    const { status, body } = await get(id)
    expect([status, body.type, body.code, body.attr]).toEqual([
      ...[404, "invalid_request", "not_found"],
      null,
    ])
  })

  test("of another project is not there", async () => {
    const [here, there] = [await addOne(), await addOne()]
    expect((await here.get(there.person.id)).status).toBe(404)
    expect((await here.get(there.person.uuid)).status).toBe(404)
  })

  test.each(["ana", "-1", "1.5", "x y"])("named %s is told how to be found", async (id) => {
    const { get } = await addOne()
    const { status, body } = await get(id)
    expect([status, body.type, body.code]).toEqual([400, "validation_error", "invalid_input"])
    expect(body.detail).toContain("/persons?distinct_id=")
  })

  test("keeps its properties as they came: many digits, odd keys, empty text", async () => {
    const text = '{"n":12345678901234567890,"__proto__":{"x":1},"a.b":"","deep":[[{"z":null}]]}'
    const { person, get } = await addOne(parseExact(text) as JsonObject)
    expect((await get(person.id)).text).toContain(`"properties":${text}`)
  })

  test("as CSV is one row", async () => {
    const { person, get } = await addOne({ plan: "free" })
    const { text } = await get(`${person.id}?format=csv`)
    expect(text.split("\r\n")).toEqual([
      "id,uuid,name,distinct_ids,created_at,is_identified,properties",
      `${person.id},${person.uuid},ana,"[""ana""]",2026-03-02T10:00:00Z,false,"{""plan"":""free""}"`,
      "",
    ])
  })

  test("in an unknown format is refused", async () => {
    const { person, get } = await addOne()
    const { status, body } = await get(`${person.id}?format=xml`)
    expect([status, body.code, body.attr]).toEqual([400, "invalid_choice", "format"])
  })
})

describe("the scope of a key", () => {
  test.each([
    ["GET", "", "person:read"],
    ["GET", "/:id", "person:read"],
    ["PATCH", "/:id", "person:write"],
    ["PUT", "/:id", "person:write"],
    ["DELETE", "/:id", "person:write"],
    ["POST", "/:id/update_property", "person:write"],
    ["POST", "/:id/delete_property", "person:write"],
    ["POST", "/:id/split", "person:write"],
    ["POST", "/:id/delete_events", "person:write"],
    ["POST", "/bulk_delete", "person:write"],
    ["POST", "/reset_person_distinct_id", "person:write"],
    ["GET", "/:id/activity", "activity_log:read"],
    ["GET", "/activity", "activity_log:read"],
    ["GET", "/values", "person:read"],
  ])("for %s %s is %s", async (method, path, scope) => {
    const { owner, person, url } = await addOne()
    const address = `${url}${path.replace(":id", String(person.id))}`
    const others = ["person:read", "person:write", "activity_log:read", "cohort:write"]
    const isEnough = (other: string) => other === scope || other.replace("write", "read") === scope
    const wrong = await app.addKey(owner.id, { scopes: others.filter((each) => !isEnough(each)) })
    const refused = await app.call(method, address, { key: wrong })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      `API key missing required scope '${scope}'`,
    ])
    const right = await app.addKey(owner.id, { scopes: [scope] })
    expect((await app.call(method, address, { key: right })).status).not.toBe(403)
  })

  test("does not let persons be made here", async () => {
    const { owner, url } = await addOne()
    const { status, body } = await app.post(url, owner.key, { properties: {} })
    expect([status, body.code]).toEqual([405, "method_not_allowed"])
  })
})
