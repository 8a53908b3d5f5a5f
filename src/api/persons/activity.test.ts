import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { addPerson } from "../../../test/support/persons.ts"

const app = useTestApp()

async function addTwo() {
  const { owner, project } = await app.addOrganization()
  const ana = await addPerson(app, project.id, { distinct_ids: ["ana"] })
  const bo = await addPerson(app, project.id, { distinct_ids: ["bo"] })
  const url = `/api/projects/${project.id}/persons`
  const change = (id: number, value: unknown) =>
    app.patch(`${url}/${id}`, owner.key, { properties: { value } })
  return {
    owner,
    project,
    ana,
    bo,
    url,
    change,
    get: (path: string) => app.get(`${url}${path}`, owner.key),
  }
}

const items = (results: readonly { item_id: string }[]) => results.map(({ item_id }) => item_id)

describe("the activity of persons", () => {
  test("is that of all, newest first, deleted ones included", async () => {
    const { ana, bo, url, owner, change, get } = await addTwo()
    await change(ana.id, 1)
    await change(bo.id, 1)
    await app.delete(`${url}/${ana.id}`, owner.key)
    const { status, body } = await get("/activity")
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 3, next: null, previous: null })
    expect(items(body.results)).toEqual([String(ana.id), String(bo.id), String(ana.id)])
  })

  test("of one is the person with its entries", async () => {
    const { ana, bo, change, get } = await addTwo()
    await change(ana.id, 1)
    await change(bo.id, 1)
    const { status, body } = await get(`/${ana.uuid}/activity`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: ana.id, uuid: ana.uuid, name: "ana", properties: { value: 1 } },
      ...{ count: 1, next: null, previous: null },
    })
    expect(items(body.results)).toEqual([String(ana.id)])
  })

  test("of a person of another project is never shown", async () => {
    const [here, there] = [await addTwo(), await addTwo()]
    await there.change(there.ana.id, 1)
    expect((await here.get("/activity")).body.count).toBe(0)
    expect((await here.get(`/${there.ana.id}/activity`)).status).toBe(404)
  })

  test("comes in pages by offset and by number", async () => {
    const { ana, url, change, get } = await addTwo()
    for (let value = 0; value < 12; value++) await change(ana.id, value)
    const address = `${app.app.address}${url}/activity`
    const byOffset = (await get("/activity?limit=5&offset=5")).body
    expect(byOffset.results).toHaveLength(5)
    expect(byOffset.next).toBe(`${address}?limit=5&offset=10`)
    const first = (await get("/activity?page=1")).body
    expect([first.results.length, first.next, first.previous]).toEqual([
      ...[10, `${address}?page=2`],
      null,
    ])
    const second = (await get("/activity?page=2&limit=7")).body
    expect([second.results.length, second.next, second.previous]).toEqual([
      ...[5, null],
      `${address}?page=1&limit=7`,
    ])
    for (const junk of ["page=0", "page=x", "page=-1"]) {
      expect((await get(`/activity?${junk}`)).body.results).toHaveLength(12)
    }
  })

  test("can be had as CSV", async () => {
    const { ana, change, get } = await addTwo()
    await change(ana.id, 1)
    for (const path of ["/activity", `/${ana.id}/activity`]) {
      const lines = (await get(`${path}?format=csv`)).text.trimEnd().split("\r\n")
      expect(lines[0]).toBe("id,created_at,user,is_system,activity,scope,item_id,detail")
      expect(lines).toHaveLength(2)
    }
  })
})
