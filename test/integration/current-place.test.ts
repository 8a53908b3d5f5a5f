import { describe, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()

async function addSecondOrganization(key: string) {
  const { body } = await app.post("/api/organizations", key, { name: "Second" })
  return { id: body.id as string, projectId: body.teams[0].id as number }
}

describe("@current", () => {
  test("is the organization and project last chosen", async () => {
    const { owner } = await app.addOrganization("First")
    const second = await addSecondOrganization(owner.key)
    expect((await app.get("/api/organizations/@current", owner.key)).body.id).toBe(second.id)
    expect((await app.get("/api/projects/@current", owner.key)).body.id).toBe(second.projectId)
  })

  test("for a limited key is a place inside its limits, wherever its owner looks", async () => {
    const { id, owner, project } = await app.addOrganization("First")
    await addSecondOrganization(owner.key)
    const limited = await app.addKey(owner.id, { organizations: [id] })
    expect((await app.get("/api/organizations/@current", limited)).body.id).toBe(id)
    expect((await app.get("/api/projects/@current", limited)).body.id).toBe(project.id)
    const narrow = await app.addKey(owner.id, { projects: [project.id] })
    expect((await app.get("/api/projects/@current", narrow)).body.id).toBe(project.id)
  })

  test("for a limited key is where its new projects go", async () => {
    const { id, owner } = await app.addOrganization("First")
    await addSecondOrganization(owner.key)
    const limited = await app.addKey(owner.id, { organizations: [id] })
    const { status, body } = await app.post("/api/projects", limited, { name: "Here" })
    expect({ status, organization: body.organization }).toEqual({ status: 201, organization: id })
  })

  test("is never a private project that the caller cannot see", async () => {
    const { id, url, owner, project } = await app.addOrganization()
    const member = await app.addMember(id)
    await app.db`update project set access_control = true where id = ${project.id}`
    expect((await app.get("/api/projects/@current", member.key)).status).toBe(404)
    const open = await app.post(`${url}/projects`, owner.key, { name: "Open" })
    expect((await app.get("/api/projects/@current", member.key)).body.id).toBe(open.body.id)
  })

  test("is nowhere for who belongs nowhere", async () => {
    const ana = await app.addUser()
    expect((await app.get("/api/organizations/@current", ana.key)).status).toBe(404)
    expect((await app.get("/api/projects/@current", ana.key)).status).toBe(404)
  })
})
