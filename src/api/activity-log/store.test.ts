import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { LEVEL } from "../http/levels.ts"
import { ActivityEntry } from "./schema.ts"
import { changesBetween, listActivity, recordActivity } from "./store.ts"

const app = useTestApp()

describe("changes", () => {
  test("are the fields that differ, as created, changed or deleted", () => {
    const before = { name: "fern", height: 3, colour: "green", place: null, tags: ["a"] }
    const after = { name: "fern", height: 4, colour: null, place: { bed: 1 }, tags: ["a"] }
    expect(changesBetween("Plant", before, after)).toEqual([
      { type: "Plant", action: "changed", field: "height", before: 3, after: 4 },
      { type: "Plant", action: "deleted", field: "colour", before: "green", after: null },
      { type: "Plant", action: "created", field: "place", before: null, after: { bed: 1 } },
    ])
  })

  test("are told only for the fields that were sent", () => {
    expect(changesBetween("Plant", { name: "fern", height: 3 }, { name: "moss" })).toHaveLength(1)
    expect(changesBetween("Plant", { name: "fern" }, {})).toEqual([])
  })

  test("name secrets, and do not show them", () => {
    const changes = changesBetween("Plant", { key: "hush" }, { key: "quiet" }, ["key"])
    expect(changes).toEqual([
      { type: "Plant", action: "changed", field: "key", before: null, after: null },
    ])
  })
})

describe("the log", () => {
  interface Seen {
    readonly scope?: string
    readonly userId?: number
    readonly projectId?: number
  }

  async function record(organization_id: string, item: string, seen: Seen = {}) {
    const { scope = "Plant", userId, projectId = null } = seen
    const caller = userId === undefined ? undefined : { user: { id: userId } }
    const entry = { organization_id, project_id: projectId, scope, item_id: item, name: item }
    const author = { caller, now: app.clock.now() }
    await recordActivity(app.db, author, { ...entry, activity: "watered" })
  }

  interface Look {
    readonly limit?: number
    readonly offset?: number
    readonly seer?: { user_id: number; level: number }
  }

  async function list(organization_id: string, look: Look = {}) {
    const { limit = 10, offset = 0, seer = { user_id: 0, level: LEVEL.owner } } = look
    const filter = { organization_id, scopes: ["Plant", "Tree"], seer }
    return listActivity(app.db, filter, { limit, offset })
  }

  test("is listed newest first, in pages, by scope and organization", async () => {
    const { id } = await app.addOrganization()
    const other = await app.addOrganization()
    for (const item of ["1", "2", "3"]) await record(id, item)
    await record(id, "oak", { scope: "Tree" })
    await record(id, "stone", { scope: "Stone" })
    await record(other.id, "theirs")
    const first = await list(id, { limit: 3 })
    expect(first.count).toBe(4)
    expect(first.results.map(({ item_id }) => item_id)).toEqual(["oak", "3", "2"])
    const second = await list(id, { limit: 3, offset: 3 })
    expect(second.results.map(({ item_id }) => item_id)).toEqual(["1"])
  })

  test("says who, or that it was nobody", async () => {
    const { id, owner } = await app.addOrganization()
    await record(id, "1", { userId: owner.id })
    await record(id, "2")
    const [byNobody, byOwner] = (await list(id)).results.map((entry) => ActivityEntry.parse(entry))
    expect(byOwner).toMatchObject({ is_system: false, user: { email: owner.email } })
    expect(byNobody).toMatchObject({ is_system: true, user: null })
    const detail = { name: "1", changes: null, trigger: null, type: null, short_id: null }
    expect(byOwner?.detail).toEqual(detail)
  })

  test("tells of a private project to those who see it", async () => {
    const { id, project } = await app.addOrganization()
    const [member, granted] = [await app.addMember(id), await app.addMember(id)]
    await app.db`update project set access_control = true where id = ${project.id}`
    await app.db`insert into project_grant values (${project.id}, ${granted.id}, 1)`
    await record(id, "hidden", { projectId: project.id })
    const countFor = async (user_id: number, level: number) =>
      (await list(id, { seer: { user_id, level } })).count
    expect(await countFor(member.id, LEVEL.member)).toBe(0)
    expect(await countFor(member.id, LEVEL.admin)).toBe(1)
    expect(await countFor(granted.id, LEVEL.member)).toBe(1)
    await app.db`delete from project where id = ${project.id}`
    expect(await countFor(member.id, LEVEL.member)).toBe(0)
    expect(await countFor(member.id, LEVEL.admin)).toBe(1)
  })
})
