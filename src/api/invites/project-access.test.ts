import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { checkMayGrant, mergeAccess, parseProjectAccess } from "./project-access.ts"

const app = useTestApp()

const wrongAccess = {
  status: 400,
  body: { type: "validation_error", code: "invalid_input", attr: "private_project_access" },
}

async function addTeam() {
  const { id, url, owner, project } = await app.addOrganization()
  const member = await app.addMember(id)
  const post = (key: string, private_project_access: unknown) =>
    app.post(`${url}/invites`, key, { target_email: "ana@example.com", private_project_access })
  const grant = (level: number) => app.db`
    insert into project_grant (project_id, user_id, level) values (${project.id}, ${member.id}, ${level})
    on conflict (project_id, user_id) do update set level = excluded.level`
  const setPrivate = () => app.db`update project set access_control = true where id = ${project.id}`
  return { id, owner, member, project, post, grant, setPrivate }
}

describe("project access of an invite", () => {
  test("is kept as sent, levels written as words become numbers", async () => {
    const { owner, project, post } = await addTeam()
    const kept = async (level: unknown) =>
      (await post(owner.key, [{ id: project.id, level, note: "ignored" }])).body
        .private_project_access
    expect(await kept(1)).toEqual([{ id: project.id, level: 1 }])
    expect(await kept(8)).toEqual([{ id: project.id, level: 8 }])
    expect(await kept("member")).toEqual([{ id: project.id, level: 1 }])
    expect(await kept("admin")).toEqual([{ id: project.id, level: 8 }])
  })

  test("is an empty list when absent, and null when sent as null or empty", async () => {
    const { owner, post } = await addTeam()
    expect((await post(owner.key, undefined)).body.private_project_access).toEqual([])
    expect((await post(owner.key, [])).body.private_project_access).toBeNull()
    expect((await post(owner.key, null)).body.private_project_access).toBeNull()
  })

  test("of any other shape is refused as a whole", async () => {
    const { owner, project, post } = await addTeam()
    const { id } = project
    const wrong = [
      ...[7, "1", true, {}, { id, level: 1 }],
      ...[[7], [null], [[]], [{}], [{ id }], [{ level: 1 }]],
      ...[[{ id: String(id), level: 1 }], [{ id: 1.5, level: 1 }], [{ id: null, level: 1 }]],
      ...[
        [{ id, level: 15 }],
        [{ id, level: "owner" }],
        [{ id, level: "8" }],
        [{ id, level: null }],
      ],
      ...[[{ id: -1, level: 1 }], [{ id: 2 ** 40, level: 1 }]],
      Array.from({ length: 1_001 }, () => ({ id, level: 1 })),
    ]
    for (const access of wrong) {
      const answer = await post(owner.key, access)
      expect(answer, JSON.stringify(access).slice(0, 80)).toMatchObject(wrongAccess)
    }
  })

  test("is only for projects of the organization", async () => {
    const { owner, post } = await addTeam()
    const elsewhere = await app.addOrganization()
    const foreign = await post(owner.key, [{ id: elsewhere.project.id, level: 1 }])
    expect(foreign).toMatchObject(wrongAccess)
    expect(await post(owner.key, [{ id: 2_000_000_000, level: 1 }])).toMatchObject(wrongAccess)
  })

  test("may be given at any level by admins of the organization, to private projects too", async () => {
    const { id, project, post, setPrivate } = await addTeam()
    const admin = await app.addMember(id, "admin")
    await setPrivate()
    expect((await post(admin.key, [{ id: project.id, level: 8 }])).status).toBe(201)
  })

  test("to a private project is given by plain members only as its admins", async () => {
    const { member, project, post, grant, setPrivate } = await addTeam()
    const asMember = [{ id: project.id, level: 1 }]
    const asAdmin = [{ id: project.id, level: 8 }]
    await setPrivate()
    expect(await post(member.key, asMember)).toMatchObject(wrongAccess)
    await grant(1)
    expect(await post(member.key, asMember)).toMatchObject(wrongAccess)
    expect(await post(member.key, asAdmin)).toMatchObject(wrongAccess)
    await grant(8)
    expect((await post(member.key, asMember)).status).toBe(201)
    expect((await post(member.key, asAdmin)).status).toBe(201)
  })

  test("to an open project is given by plain members up to their own level on it", async () => {
    const { member, project, post, grant } = await addTeam()
    expect((await post(member.key, [{ id: project.id, level: 1 }])).status).toBe(201)
    expect(await post(member.key, [{ id: project.id, level: 8 }])).toMatchObject(wrongAccess)
    await grant(8)
    expect((await post(member.key, [{ id: project.id, level: 8 }])).status).toBe(201)
  })
})

describe("project access as a value", () => {
  test("merges to the higher level of each project", () => {
    const one = [
      { id: 1, level: 8 },
      { id: 2, level: 1 },
    ] as const
    const other = [
      { id: 1, level: 1 },
      { id: 2, level: 8 },
      { id: 3, level: 1 },
    ] as const
    expect(mergeAccess(one, other)).toEqual([
      { id: 1, level: 8 },
      { id: 2, level: 8 },
      { id: 3, level: 1 },
    ])
    expect(mergeAccess([], [])).toEqual([])
  })

  test("says nothing about whether a hidden project exists", () => {
    const hidden = { id: 5, access_control: true, grant_level: null }
    const messages = [hidden, undefined].map((project) => {
      try {
        checkMayGrant({ id: 5, level: 1 }, 1, project)
      } catch (error) {
        return (error as Error).message
      }
      return ""
    })
    expect(messages[0]).toBe(messages[1])
    expect(messages[0]).toContain("5")
  })

  test("is read from a list of plain objects only", () => {
    expect(parseProjectAccess([{ id: 3, level: "admin" }])).toEqual([{ id: 3, level: 8 }])
    expect(parseProjectAccess(null)).toBeNull()
    expect(() => parseProjectAccess("[]")).toThrow(/Expected a list/)
  })
})
