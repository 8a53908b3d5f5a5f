/** Persons whose events come in through capture, before and after they are changed here. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { listEvents } from "../../../test/support/persons.ts"

const app = useTestApp()

async function addProject() {
  const { owner, project } = await app.addOrganization()
  const url = `/api/projects/${project.id}/persons`
  const capture = (
    ...events: readonly (readonly [string, string, Readonly<Record<string, unknown>>?])[]
  ) =>
    app.capture(
      project,
      events.map(([distinct_id, event, properties = {}]) => ({ distinct_id, event, properties })),
    )
  return {
    ...{ owner, project, url, capture },
    personOf: async (distinctId: string) =>
      (await app.get(`${url}?distinct_id=${distinctId}`, owner.key)).body.results[0],
    listed: async () =>
      (await app.get(url, owner.key)).body.results
        .map(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids.join())
        .toSorted(),
    owners: async () => {
      const events = await listEvents(app, project.id)
      return events.map(({ event, person }) => [event, person] as const)
    },
  }
}

describe("a person made by events", () => {
  test("can be read, found and changed", async () => {
    const { url, owner, capture, personOf } = await addProject()
    await capture(["ana", "seen", { $set: { email: "ana@example.com", n: 1 } }])
    const ana = await personOf("ana")
    expect(ana).toMatchObject({ name: "ana@example.com", distinct_ids: ["ana"] })
    expect((await app.get(`${url}?search=ANA@`, owner.key)).body.count).toBe(1)
    expect((await app.get(`${url}?email=ana@example.com`, owner.key)).body.count).toBe(1)
    await app.patch(`${url}/${ana.id}`, owner.key, { properties: { n: 2 } })
    await capture(["ana", "seen", { $set: { more: true } }])
    const { body } = await app.get(`${url}/${ana.uuid}`, owner.key)
    expect(body.properties).toMatchObject({ email: "ana@example.com", n: 2, more: true })
  })

  test("and changed while more come in keeps every change", async () => {
    const { url, owner, capture, personOf } = await addProject()
    await capture(["ana", "seen"])
    const { id } = await personOf("ana")
    const keys = ["a", "b", "c", "d", "e"]
    await Promise.all(
      keys.flatMap((key) => [
        app.patch(`${url}/${id}`, owner.key, { properties: { [`api ${key}`]: 1 } }),
        capture(["ana", "seen", { $set: { [`event ${key}`]: 1 } }]),
      ]),
    )
    const { properties } = (await app.get(`${url}/${id}`, owner.key)).body
    for (const key of keys)
      expect(properties).toMatchObject({ [`api ${key}`]: 1, [`event ${key}`]: 1 })
  })
})

describe("a person of merged ones", () => {
  async function addMerged() {
    const project = await addProject()
    await project.capture(["anon", "before"], ["phone", "called"])
    await project.capture(["ana", "$identify", { $anon_distinct_id: "anon" }])
    await project.capture(["ana", "$create_alias", { alias: "phone" }])
    return { ...project, ana: await project.personOf("ana") }
  }

  test("that is split has its events told apart, and later ones too", async () => {
    const { url, owner, capture, personOf, listed, owners, ana } = await addMerged()
    expect(await listed()).toHaveLength(1)
    const { status } = await app.post(`${url}/${ana.id}/split`, owner.key, {
      main_distinct_id: "ana",
    })
    expect(status).toBe(200)
    expect(await listed()).toEqual(["ana", "anon", "phone"])
    await capture(["anon", "after"], ["phone", "hung up"], ["ana", "here"])
    expect(await listed()).toEqual(["ana", "anon", "phone"])
    const anon = (await personOf("anon")).uuid
    const phone = (await personOf("phone")).uuid
    expect(new Map(await owners())).toEqual(
      new Map([
        ["before", anon],
        ["after", anon],
        ["called", phone],
        ["hung up", phone],
        ["$identify", ana.uuid],
        ["$create_alias", ana.uuid],
        ["here", ana.uuid],
      ]),
    )
  })

  test("that is deleted leaves each distinct id to a new person at once", async () => {
    const { url, owner, capture, personOf, listed, owners, ana } = await addMerged()
    expect((await app.delete(`${url}/${ana.id}`, owner.key)).status).toBe(204)
    expect(await listed()).toEqual([])
    await capture(["anon", "again"], ["ana", "back"], ["phone", "rings"])
    expect(await listed()).toEqual(["ana", "anon", "phone"])
    const seen = new Map(await owners())
    expect(seen.get("before")).toBe(ana.uuid)
    expect(seen.get("again")).toBe((await personOf("anon")).uuid)
    expect(seen.get("back")).toBe((await personOf("ana")).uuid)
    expect(seen.get("rings")).toBe((await personOf("phone")).uuid)
    expect(new Set([...seen.values()]).size).toBe(4)
  })

  test("that is split and then deleted piece by piece can start over", async () => {
    const { url, owner, capture, personOf, listed, ana } = await addMerged()
    await app.post(`${url}/${ana.id}/split`, owner.key, { main_distinct_id: "phone" })
    await app.delete(`${url}/${(await personOf("anon")).id}`, owner.key)
    await capture(["anon", "again"])
    expect(await listed()).toEqual(["ana", "anon", "phone"])
    await app.post(`${url}/bulk_delete`, owner.key, { distinct_ids: ["ana", "anon", "phone"] })
    await capture(["anon", "again"], ["ana", "again"], ["phone", "again"])
    expect(await listed()).toEqual(["ana", "anon", "phone"])
  })
})
