import { mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { LEVEL } from "../http/levels.ts"

const folder = mkdtempSync(path.join(tmpdir(), "hedgerow-catalogue-"))
const catalogue = path.join(folder, "catalogue.json")
const ownEntry = {
  name: "Ours",
  url: "https://github.com/ana/ours?private_token=s3cret",
  description: "Of our own",
  tag: "v1",
  group: "pipeline_destinations",
}
writeFileSync(catalogue, JSON.stringify([ownEntry]))
afterAll(() => rm(folder, { recursive: true, force: true }))

const app = useTestApp({ settings: { HEDGEROW_PLUGIN_CATALOGUE: catalogue } })

async function addOrganization() {
  const { id, url, owner, project } = await app.addOrganization()
  const configs = `/api/projects/${project.id}/plugin_configs`
  return { id, url, project, configs, key: owner.key, destinations: `${url}/pipeline_destinations` }
}

type Organization = Awaited<ReturnType<typeof addOrganization>>

async function addPlugin({ destinations, key }: Organization, draft: object = {}) {
  const { body } = await app.post(destinations, key, { plugin_type: "source", ...draft })
  return body
}

const idsOf = (body: { results: { id: number }[] }) => body.results.map(({ id }) => id)

describe("the activity of plugins", () => {
  test("is in pages, newest first, with who did what", async () => {
    const organization = await addOrganization()
    const { destinations, key, configs, url } = organization
    const plugin = await addPlugin(organization, { name: "Shipping" })
    await app.post(configs, key, { plugin: plugin.id, enabled: true })
    await app.delete(`${destinations}/${plugin.id}`, key)
    const { status, body } = await app.get(`${destinations}/activity/?limit=2`, key)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      count: 3,
      previous: null,
      next: expect.stringContaining("offset=2"),
    })
    expect(body.results[0]).toMatchObject({
      user: { first_name: "owner", email: expect.any(String) },
      activity: "uninstalled",
      scope: "Plugin",
      item_id: String(plugin.id),
      detail: { name: "Shipping", changes: null, trigger: null, type: null, short_id: null },
      created_at: "2026-03-02T10:00:00Z",
    })
    expect(body.results[1]).toMatchObject({ activity: "enabled", scope: "PluginConfig" })
    const frontend = await app.get(`${url}/pipeline_frontend_apps/activity`, key)
    expect(frontend.body.results).toHaveLength(3)
    const other = await addOrganization()
    expect((await app.get(`${other.destinations}/activity`, other.key)).body.count).toBe(0)
  })

  test("of a private project is for those who see the project", async () => {
    const organization = await addOrganization()
    const { id, project, configs, key, destinations } = organization
    const plugin = await addPlugin(organization)
    await app.post(configs, key, { plugin: plugin.id, enabled: true })
    await app.db`update project set access_control = true where id = ${project.id}`
    const member = await app.addMember(id)
    const hidden = await app.get(`${destinations}/activity`, member.key)
    expect(hidden.body).toMatchObject({ count: 1, results: [{ activity: "installed" }] })
    expect((await app.get(`${destinations}/activity`, key)).body.count).toBe(2)
    const enabled = await app.get(`${destinations}/exports_unsubscribe_configs`, member.key)
    expect(enabled.body.count).toBe(0)
    await app.db`
      insert into project_grant (project_id, user_id, level)
      values (${project.id}, ${member.id}, ${LEVEL.member})`
    expect((await app.get(`${destinations}/activity`, member.key)).body.count).toBe(2)
  })
})

describe("unused plugins", () => {
  test("are those of the group that no project has enabled", async () => {
    const organization = await addOrganization()
    const { url, configs, key, destinations } = organization
    const used = await addPlugin(organization)
    const off = await addPlugin(organization)
    const untouched = await addPlugin(organization)
    await app.post(`${url}/pipeline_frontend_apps`, key, { plugin_type: "source" })
    const config = await app.post(configs, key, { plugin: used.id, enabled: true })
    await app.post(configs, key, { plugin: off.id, enabled: false })
    const { status, body } = await app.get(`${destinations}/unused/`, key)
    expect(status).toBe(200)
    expect(body).toEqual({ count: 2, next: null, previous: null, results: [off, untouched] })
    await app.delete(`${configs}/${config.body.id}`, key)
    const later = await app.get(`${destinations}/unused`, key)
    expect(idsOf(later.body)).toEqual([used.id, off.id, untouched.id])
    expect((await app.get(`${url}/pipeline_frontend_apps/unused`, key)).body.count).toBe(1)
  })

  test("that are global are unused where nobody uses them, and everywhere for their owner", async () => {
    const [owner, user, other] = [
      await addOrganization(),
      await addOrganization(),
      await addOrganization(),
    ]
    const plugin = await addPlugin(owner, { is_global: true })
    await app.post(user.configs, user.key, { plugin: plugin.id, enabled: true })
    const unused = async ({ destinations, key }: Organization) =>
      idsOf((await app.get(`${destinations}/unused?limit=1000`, key)).body).includes(plugin.id)
    expect(await unused(owner)).toBe(false)
    expect(await unused(user)).toBe(false)
    expect(await unused(other)).toBe(true)
    await app.patch(`${owner.destinations}/${plugin.id}`, owner.key, { is_global: false })
    expect(await unused(other)).toBe(false)
  })
})

describe("the catalogue", () => {
  test("is a page of plugins of the group with who made them, tokens left out", async () => {
    const { destinations, key, url } = await addOrganization()
    const { status, body } = await app.get(`${destinations}/repository/`, key)
    expect(status).toBe(200)
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual([
      "Webhook",
      "Event log",
      "Ours",
    ])
    expect(body.results[2]).toEqual({
      id: null,
      plugin_type: "repository",
      name: "Ours",
      description: "Of our own",
      url: "https://github.com/ana/ours",
      icon: null,
      config_schema: {},
      tag: "v1",
      latest_tag: "v1",
      is_global: false,
      organization_id: null,
      organization_name: null,
      capabilities: { methods: ["onEvent"], jobs: [], scheduled_tasks: [] },
      metrics: {},
      public_jobs: {},
      verified: false,
      maintainer: "community",
    })
    expect(body.results[0].capabilities.methods).toEqual(["composeWebhook"])
    const second = await app.get(`${destinations}/repository?limit=1&offset=1`, key)
    expect(second.body).toMatchObject({ count: 3, results: [{ name: "Event log" }] })
    const frontend = await app.get(`${url}/pipeline_frontend_apps/repository`, key)
    expect(frontend.body).toMatchObject({ count: 1, results: [{ name: "Consent banner" }] })
  })
})

describe("exports_unsubscribe_configs", () => {
  test("are the enabled configs of all projects, without their secrets", async () => {
    const organization = await addOrganization()
    const { configs, key, destinations, project } = organization
    const plugin = await addPlugin(organization, {
      config_schema: [{ key: "token", secret: true }, { key: "url" }],
    })
    const config = { token: "s3cret", url: "https://example.com" }
    const enabled = await app.post(configs, key, { plugin: plugin.id, enabled: true, config })
    await app.post(configs, key, { plugin: plugin.id })
    const { status, body, text } = await app.get(
      `${destinations}/exports_unsubscribe_configs/`,
      key,
    )
    expect(status).toBe(200)
    expect(body).toEqual({ count: 1, next: null, previous: null, results: [enabled.body] })
    expect(body.results[0]).toEqual({
      id: enabled.body.id,
      plugin: plugin.id,
      enabled: true,
      order: 0,
      config: { token: "********", url: "https://example.com" },
      error: null,
      team_id: project.id,
      plugin_info: plugin,
      delivery_rate_24h: null,
      created_at: "2026-03-02T10:00:00Z",
      updated_at: "2026-03-02T10:00:00Z",
      name: null,
      description: null,
      deleted: false,
    })
    expect(text).not.toContain("s3cret")
    const other = await addOrganization()
    const elsewhere = await app.get(`${other.destinations}/exports_unsubscribe_configs`, other.key)
    expect(elsewhere.body.count).toBe(0)
  })

  const empty = { methods: [], jobs: [], scheduled_tasks: [] }
  test.each([
    ["leave out", "a global transformation", true, { methods: ["processEvent"] }],
    ["leave out", "one with a setup", true, { methods: ["setupPlugin", "processEvent"] }],
    ["leave out", "a global one without capabilities", true, {}],
    ["leave out", "a global one with empty capabilities", true, empty],
    ["leave out", "a local one without capabilities", false, {}],
    ["leave out", "a local one with empty capabilities", false, { ...empty, jobs: ["again"] }],
    ["have", "a local transformation", false, { methods: ["processEvent"] }],
    ["have", "a global destination", true, { methods: ["processEvent", "onEvent"] }],
    ["have", "a global import", true, { ...empty, scheduled_tasks: ["runEveryDay"] }],
    ["have", "a local import", false, { scheduled_tasks: ["runEveryDay"] }],
  ])("%s %s", async (verb, _what, is_global, capabilities) => {
    const organization = await addOrganization()
    const { configs, key, destinations } = organization
    const plugin = await addPlugin(organization)
    await app.post(configs, key, { plugin: plugin.id, enabled: true })
    const at = `${destinations}/${plugin.id}`
    expect((await app.patch(at, key, { is_global, capabilities })).status).toBe(200)
    const { body } = await app.get(`${destinations}/exports_unsubscribe_configs`, key)
    expect(body.count).toBe(verb === "have" ? 1 : 0)
    // Global ones would be in everybody's lists.
    await app.patch(at, key, { is_global: false })
  })
})
