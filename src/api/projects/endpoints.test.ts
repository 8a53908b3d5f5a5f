import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }

async function findCurrent(userId: number) {
  const [row] = await app.db<{ current_organization_id: string; current_project_id: number }[]>`
    select current_organization_id, current_project_id from app_user where id = ${userId}`
  return row
}

async function addProject(organizationId: string, settings: object = {}) {
  const admin = await app.addMember(organizationId, "admin")
  const { body } = await app.post(`/api/organizations/${organizationId}/projects`, admin.key, {
    name: "Second",
    ...settings,
  })
  return { id: body.id as number, url: `/api/projects/${body.id}`, admin, body }
}

describe("a new project", () => {
  test("has a token, plain settings, and becomes its maker's current one", async () => {
    const { id, owner } = await app.addOrganization()
    const { status, body } = await app.post("/api/projects/", owner.key, { name: "  Shop " })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization: id,
      project_id: body.id,
      api_token: expect.stringMatching(/^phc_[0-9A-Za-z]{43}$/),
      name: "Shop",
      completed_snippet_onboarding: false,
      has_completed_onboarding_for: null,
      ingested_event: false,
      is_demo: false,
      timezone: "UTC",
      access_control: false,
      app_urls: [],
      recording_domains: null,
      slack_incoming_webhook: null,
      anonymize_ips: false,
      week_start_day: null,
      test_account_filters: [],
      test_account_filters_default_checked: null,
      path_cleaning_filters: null,
      data_attributes: ["data-attr"],
      person_display_name_properties: null,
      live_events_columns: null,
      autocapture_opt_out: null,
      session_recording_opt_in: false,
      extra_settings: null,
      effective_membership_level: 15,
      primary_dashboard: null,
      has_group_types: false,
      created_at: START,
      updated_at: START,
    })
    expect(await findCurrent(owner.id)).toEqual({
      current_organization_id: id,
      current_project_id: body.id,
    })
    expect((await app.get("/api/projects/@current", owner.key)).body).toEqual(body)
    expect((await app.get(`/api/projects/${body.id}/`, owner.key)).body).toEqual(body)
    const [entry] = await app.db`
      select activity, item_id, project_id, detail->>'name' as name from activity_log
      where organization_id = ${id} and scope = 'Project'`
    expect(entry).toEqual({
      activity: "created",
      item_id: String(body.id),
      project_id: body.id,
      name: "Shop",
    })
  })

  test("takes settings, and none of what the platform decides", async () => {
    const { owner, id } = await app.addOrganization()
    const settings = { timezone: "Europe/Berlin", week_start_day: 1, app_urls: ["https://a.com"] }
    const decided = {
      id: 1,
      api_token: "mine",
      uuid: newUuid(),
      is_demo: true,
      ingested_event: true,
    }
    const sent = { name: "Shop", ...settings, ...decided }
    const { body } = await app.post("/api/projects", owner.key, sent)
    expect(body).toMatchObject({ ...settings, is_demo: false, ingested_event: false })
    expect(body).toMatchObject({ organization: id })
    expect(body.api_token).not.toBe("mine")
  })

  test("goes to the organization that the body names, for its administrators", async () => {
    const first = await app.addOrganization()
    const second = await app.addOrganization()
    const { owner } = first
    const add = (organization: string) =>
      app.post("/api/projects", owner.key, { name: "Shop", organization })
    expect(await add(second.id)).toMatchObject({ status: 403, body: denied })
    expect(await add(newUuid())).toMatchObject({ status: 403, body: denied })
    expect(await add("junk")).toMatchObject({
      status: 400,
      body: { type: "validation_error", code: "invalid_input", attr: "organization" },
    })
    await app.db`
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      values (${newUuid()}, ${second.id}, ${owner.id}, 8, now(), now())`
    const { status, body } = await add(second.id)
    expect(status).toBe(201)
    expect(body).toMatchObject({ organization: second.id, effective_membership_level: 8 })
    expect(await findCurrent(owner.id)).toEqual({
      current_organization_id: second.id,
      current_project_id: body.id,
    })
  })

  test("is not made by plain members, nor by somebody without an organization", async () => {
    const { id, url } = await app.addOrganization()
    const member = await app.addMember(id)
    for (const path of ["/api/projects", `${url}/projects`]) {
      const answer = await app.post(path, member.key, { name: "Shop" })
      expect(answer).toMatchObject({ status: 403, body: denied })
    }
    const nobody = await app.addUser()
    const answer = await app.post("/api/projects", nobody.key, { name: "Shop" })
    expect(answer).toMatchObject({ status: 404, body: missing })
  })

  test("is not made beyond the limits of a key", async () => {
    const { id, owner, project } = await app.addOrganization()
    const other = await app.addOrganization()
    const inProject = await app.addKey(owner.id, { projects: [project.id] })
    const elsewhere = await app.addKey(owner.id, { organizations: [other.id] })
    const reader = await app.addKey(owner.id, { scopes: ["project:read"] })
    for (const key of [inProject, elsewhere, reader]) {
      const answer = await app.post("/api/projects", key, { name: "Shop" })
      expect(answer).toMatchObject({ status: 403, body: denied })
    }
    const here = await app.addKey(owner.id, { organizations: [id], scopes: ["project:write"] })
    expect((await app.post("/api/projects", here, { name: "Shop" })).status).toBe(201)
  })
})

describe("projects", () => {
  test("are listed over all organizations of the caller, in short form", async () => {
    const first = await app.addOrganization()
    const second = await app.addOrganization()
    const { owner } = first
    await app.db`
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      values (${newUuid()}, ${second.id}, ${owner.id}, 1, now(), now())`
    const secret = await addProject(second.id, { access_control: true })
    const { body } = await app.get("/api/projects/", owner.key)
    const ids = (answer: { results: { id: number }[] }) => answer.results.map(({ id }) => id)
    expect(body).toMatchObject({ count: 2, next: null, previous: null })
    expect(ids(body)).toEqual([first.project.id, second.project.id])
    expect(Object.keys(body.results[0])).toHaveLength(12)

    const all = await app.get(`${second.url}/projects`, secret.admin.key)
    expect(ids(all.body)).toEqual([second.project.id, secret.id])
    const mine = await app.get(`${second.url}/projects`, owner.key)
    expect(ids(mine.body)).toEqual([second.project.id])

    const inSecond = await app.addKey(owner.id, { organizations: [second.id] })
    expect(ids((await app.get("/api/projects", inSecond)).body)).toEqual([second.project.id])
    const inOne = await app.addKey(owner.id, { projects: [first.project.id, secret.id] })
    expect(ids((await app.get("/api/projects", inOne)).body)).toEqual([first.project.id])
    const page = await app.get("/api/projects?limit=1&offset=1", owner.key)
    expect(ids(page.body)).toEqual([second.project.id])
    expect(page.body.count).toBe(2)
  })

  test("are none for somebody without an organization", async () => {
    const nobody = await app.addUser()
    const { status, body } = await app.get("/api/projects", nobody.key)
    expect({ status, count: body.count }).toEqual({ status: 200, count: 0 })
    const current = await app.get("/api/projects/@current", nobody.key)
    expect(current).toMatchObject({ status: 404, body: missing })
  })

  test("of others are missing; unknown and odd ids too", async () => {
    const { project, url } = await app.addOrganization()
    const stranger = (await app.addOrganization()).owner
    for (const id of [project.id, 2_000_000_000, 99_999_999_999, "junk", "-1", "1.5", "%00"]) {
      const answer = await app.get(`/api/projects/${id}`, stranger.key)
      expect(answer).toMatchObject({ status: 404, body: missing })
    }
    const path = `/api/projects/${project.id}`
    const refused = [
      await app.patch(path, stranger.key, { name: 5 }),
      await app.call("PUT", path, { key: stranger.key, body: {} }),
      await app.delete(path, stranger.key),
      await app.patch(`${path}/reset_token`, stranger.key, {}),
    ]
    for (const answer of refused) expect(answer).toMatchObject({ status: 404, body: missing })
    expect((await app.get(`${url}/projects`, stranger.key)).status).toBe(403)
  })

  test("need the scope of a key, and a key without other limits", async () => {
    const { owner, project } = await app.addOrganization()
    const path = `/api/projects/${project.id}`
    const reader = await app.addKey(owner.id, { scopes: ["project:read"] })
    const elsewhere = await app.addKey(owner.id, { projects: [project.id + 1] })
    const stranger = await app.addKey(owner.id, { scopes: ["organization:write"] })
    expect((await app.get(path, reader)).status).toBe(200)
    const refused = [
      await app.patch(path, reader, { name: "x" }),
      await app.delete(path, reader),
      await app.post(`${path}/reset_token`, reader),
      await app.get(path, elsewhere),
      await app.get(path, stranger),
      await app.get("/api/projects", stranger),
    ]
    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: denied })
    expect((await app.get(path)).status).toBe(401)
  })

  test("that are private are missing for members without a grant", async () => {
    const { id } = await app.addOrganization()
    const { url, id: projectId } = await addProject(id, { access_control: true })
    const member = await app.addMember(id)
    expect(await app.get(url, member.key)).toMatchObject({ status: 404, body: missing })
    await app.db`
      insert into project_grant (project_id, user_id, level) values (${projectId}, ${member.id}, 1)`
    expect(await app.get(url, member.key)).toMatchObject({
      status: 200,
      body: { effective_membership_level: 1 },
    })
  })
})

describe("a new token", () => {
  test.each(["PATCH", "POST"])("replaces the old one by %s, and is in no log", async (method) => {
    const { id } = await app.addOrganization()
    const { url, admin, body: before } = await addProject(id)
    const { status, body } = await app.call(method, `${url}/reset_token/`, { key: admin.key })
    expect(status).toBe(200)
    expect(body.api_token).toMatch(/^phc_/)
    expect(body.api_token).not.toBe(before.api_token)
    expect((await app.get(url, admin.key)).body.api_token).toBe(body.api_token)
    const [entry] = await app.db<{ changes: unknown }[]>`
      select detail->'changes' as changes from activity_log
      where organization_id = ${id} and scope = 'Project' and activity = 'updated'`
    expect(entry?.changes).toEqual([
      { type: "Project", action: "changed", field: "api_token", before: null, after: null },
    ])
  })

  test("needs an administrator of the project", async () => {
    const { id } = await app.addOrganization()
    const { url, id: projectId } = await addProject(id, { access_control: true })
    const member = await app.addMember(id)
    await app.db`
      insert into project_grant (project_id, user_id, level) values (${projectId}, ${member.id}, 1)`
    const answer = await app.post(`${url}/reset_token`, member.key)
    expect(answer).toMatchObject({ status: 403, body: denied })
    await app.db`update project_grant set level = 8 where user_id = ${member.id}`
    expect((await app.post(`${url}/reset_token`, member.key)).status).toBe(200)
  })
})

describe("a deleted project", () => {
  test("is gone, its data is queued for deletion, and its users have another one", async () => {
    const { id, owner, project } = await app.addOrganization()
    const { id: projectId, url, admin } = await addProject(id)
    const member = await app.addMember(id)
    const both = [admin.id, member.id]
    await app.db`update app_user set current_project_id = ${projectId} where id = any(${both})`
    // The oldest is private: only the administrator falls back to it.
    await app.patch(`/api/projects/${project.id}`, owner.key, { access_control: true })
    const { status, text } = await app.delete(url, admin.key)
    expect({ status, text }).toEqual({ status: 204, text: "" })
    expect(await app.get(url, admin.key)).toMatchObject({ status: 404, body: missing })
    expect(await app.delete(url, admin.key)).toMatchObject({ status: 404, body: missing })
    expect((await findCurrent(admin.id))?.current_project_id).toBe(project.id)
    expect((await findCurrent(member.id))?.current_project_id).toBe(null)
    const queued = await app.db`
      select kind, key, created_by from data_deletion where project_id = ${projectId}`
    expect([...queued]).toEqual([{ kind: "project", key: String(projectId), created_by: admin.id }])
    const [entry] = await app.db`
      select activity, item_id from activity_log
      where organization_id = ${id} and scope = 'Project' order by id desc limit 1`
    expect(entry).toEqual({ activity: "deleted", item_id: String(projectId) })
  })

  test("may be the last one", async () => {
    const { owner, project } = await app.addOrganization()
    expect((await app.delete("/api/projects/@current", owner.key)).status).toBe(204)
    expect((await findCurrent(owner.id))?.current_project_id).toBe(null)
    expect((await app.get(`/api/projects/${project.id}`, owner.key)).status).toBe(404)
    expect((await app.get("/api/projects", owner.key)).body.count).toBe(0)
  })

  test("needs an administrator of the organization, not only of the project", async () => {
    const { id } = await app.addOrganization()
    const { url, id: projectId } = await addProject(id, { access_control: true })
    const member = await app.addMember(id)
    await app.db`
      insert into project_grant (project_id, user_id, level) values (${projectId}, ${member.id}, 8)`
    expect(await app.delete(url, member.key)).toMatchObject({ status: 403, body: denied })
  })

  test("is deleted once by two who try at the same time", async () => {
    const { id, owner } = await app.addOrganization()
    const { url, admin } = await addProject(id)
    const answers = await Promise.all([app.delete(url, admin.key), app.delete(url, owner.key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})
