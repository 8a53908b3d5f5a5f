import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }
const wrong = (attr: string | null, code = "invalid_input") => ({
  type: "validation_error",
  code,
  attr,
})

const schema = [
  { markdown: "Where to send events." },
  { key: "url", type: "string", required: true },
  { key: "token", type: "string", secret: true },
  { key: "mode", type: "choice", choices: ["fast", "slow"], default: "slow" },
  { key: "extra", type: "json" },
  { key: "file", type: "attachment" },
]

const filled = { url: "https://example.com", token: "s3cret" }

async function addPlugin(config_schema: unknown = schema) {
  const { id, url, owner, project } = await app.addOrganization()
  const { key } = owner
  const draft = { plugin_type: "source", name: "Shipping", config_schema }
  const { body: plugin } = await app.post(`${url}/pipeline_destinations`, key, draft)
  const configs = `/api/projects/${project.id}/plugin_configs`
  return { id, url, key, owner, project, plugin, configs }
}

async function addConfig(draft: object = {}) {
  const place = await addPlugin()
  const { configs, key, plugin } = place
  const sent = { plugin: plugin.id, config: filled, ...draft }
  const { status, body } = await app.post(configs, key, sent)
  expect(status).toBe(201)
  return { ...place, config: body, at: `${configs}/${body.id}` }
}

async function activitiesOf(organizationId: string) {
  return app.db<{ activity: string; detail: { name: string; changes: unknown } }[]>`
    select activity, detail from activity_log
    where organization_id = ${organizationId} and scope = 'PluginConfig' order by id`
}

describe("a new config", () => {
  test("is off, with the plugin's defaults and hidden secrets", async () => {
    const { id, config, plugin, project, configs, key, at } = await addConfig()
    expect(config).toEqual({
      id: expect.any(Number),
      plugin: plugin.id,
      enabled: false,
      order: 0,
      config: { url: "https://example.com", token: "********", mode: "slow" },
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
    expect((await app.get(`${at}/`, key)).body).toEqual(config)
    const list = await app.get(configs, key)
    expect(list.body).toEqual({ count: 1, next: null, previous: null, results: [config] })
    expect(await activitiesOf(id)).toMatchObject([{ activity: "config_updated" }])
  })

  test("keeps its secrets where neither the table nor the log shows them", async () => {
    const { id, at, key, config } = await addConfig({ enabled: true })
    await app.patch(at, key, { config: { token: "n3w" } })
    const rows = await app.db`
      select c::text as text from plugin_config c where id = ${config.id as number}`
    const entries = await activitiesOf(id)
    expect(entries.map(({ activity }) => activity)).toEqual([
      "config_updated",
      "enabled",
      "config_updated",
    ])
    expect(entries[2]?.detail).toMatchObject({
      name: "Shipping",
      changes: [{ action: "changed", field: "token", before: "********", after: "********" }],
    })
    for (const secret of ["s3cret", "n3w"]) {
      expect(JSON.stringify([rows, entries])).not.toContain(secret)
    }
  })

  test.each([
    ["a missing setting", { config: { token: "t" } }, "config__url", "required"],
    ["an empty setting", { config: { url: "" } }, "config__url", "required"],
    ["no settings", {}, "config__url", "required"],
    ["a number as text", { config: { url: 5 } }, "config__url", "invalid_input"],
    ["a wrong choice", { config: { ...filled, mode: "odd" } }, "config__mode", "invalid_choice"],
    ["wrong JSON", { config: { ...filled, extra: "{" } }, "config__extra", "invalid_input"],
    ["a file", { config: { ...filled, file: "x" } }, "config__file", "invalid_input"],
    ["a mask", { config: { ...filled, token: "********" } }, "config__token", "invalid_input"],
    ["a number as secret", { config: { ...filled, token: 5 } }, "config__token", "invalid_input"],
    ["unknown settings", { config: { ...filled, colour: "x" } }, "config", "invalid_input"],
    ["settings that are text", { config: "{}" }, "config", "invalid_input"],
    ["settings without end", { config: { url: "a".repeat(300_000) } }, "config", "max_length"],
    ["a flag that is none", { config: filled, enabled: "yes" }, "enabled", "invalid_input"],
    ["an order below zero", { config: filled, order: -1 }, "order", "min_value"],
    ["no plugin", { plugin: undefined, config: filled }, "plugin", "required"],
    ["a plugin that is text", { plugin: "x", config: filled }, "plugin", "invalid_input"],
    ["a plugin that is not there", { plugin: 2_147_483_647 }, "plugin", "does_not_exist"],
  ])("is refused with %s", async (_what, draft, attr, code) => {
    const { configs, key, plugin } = await addPlugin()
    const { status, body } = await app.post(configs, key, { plugin: plugin.id, ...draft })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(attr, code))
    expect((await app.get(configs, key)).body.count).toBe(0)
  })

  test("names every setting that the plugin does not have", async () => {
    const { configs, key, plugin } = await addPlugin()
    const draft = { plugin: plugin.id, config: { ...filled, colour: "x", shape: "y" } }
    expect((await app.post(configs, key, draft)).body.detail).toContain("colour, shape")
  })

  test("is refused for a plugin of another organization", async () => {
    const { plugin } = await addPlugin()
    const other = await addPlugin()
    const draft = { plugin: plugin.id, config: filled }
    const { body } = await app.post(other.configs, other.key, draft)
    expect(body).toMatchObject(wrong("plugin", "does_not_exist"))
  })

  test("may be of a schema that is an object", async () => {
    const { configs, key, plugin } = await addPlugin({ url: { required: true, default: "a" } })
    const { status, body } = await app.post(configs, key, { plugin: plugin.id })
    expect({ status, config: body.config }).toEqual({ status: 201, config: { url: "a" } })
  })
})

describe("a schema with entries that are no fields", () => {
  test.each([
    [{ a: 1, b: null, c: ["x"], url: { default: "a" } }],
    [["x", 5, null, [], { markdown: "Hi" }, { key: "url", default: "a" }]],
  ])("has only its fields as settings: %j", async (config_schema) => {
    const { configs, key, plugin } = await addPlugin(config_schema)
    const { status, body } = await app.post(configs, key, { plugin: plugin.id })
    expect({ status, config: body.config }).toEqual({ status: 201, config: { url: "a" } })
    const refused = await app.post(configs, key, { plugin: plugin.id, config: { a: "x" } })
    expect(refused.body).toMatchObject(wrong("config"))
  })
})

describe("changing a config", () => {
  test("changes the settings that are sent, keeps the rest, and removes with null", async () => {
    const { at, key, config } = await addConfig()
    const { status, body } = await app.patch(at, key, {
      name: "Mine",
      config: { mode: "fast", extra: { a: 1 } },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...config,
      name: "Mine",
      config: { url: "https://example.com", token: "********", mode: "fast", extra: { a: 1 } },
    })
    const removed = await app.patch(at, key, { config: { token: null, mode: null, extra: null } })
    expect(removed.body.config).toEqual({ url: "https://example.com", mode: "slow" })
    const refused = await app.patch(at, key, { config: { url: null } })
    expect(refused.body).toMatchObject(wrong("config__url", "required"))
  })

  test("keeps a secret when its mask comes back, and the log then says nothing", async () => {
    const { id, at, key, config } = await addConfig()
    const sealed = () => app.db`select secrets from plugin_config where id = ${config.id as number}`
    const before = await sealed()
    expect((await app.patch(at, key, { config: config.config })).body).toEqual(config)
    expect(await sealed()).toEqual(before)
    expect(await activitiesOf(id)).toHaveLength(1)
  })

  test("is logged as what it is", async () => {
    const { id, at, key } = await addConfig()
    await app.patch(at, key, { enabled: true })
    await app.patch(at, key, { order: 5 })
    await app.patch(at, key, { enabled: false })
    await app.patch(at, key, { enabled: false, name: "Mine" })
    expect((await activitiesOf(id)).map(({ activity }) => activity)).toEqual([
      "config_updated",
      "enabled",
      "order_changed",
      "disabled",
      "config_updated",
    ])
  })

  test("to off is possible when the plugin asks for more than it did, to on is not", async () => {
    const { url, at, key, plugin } = await addConfig({ enabled: true })
    const more = [...schema, { key: "region", required: true }]
    await app.patch(`${url}/pipeline_destinations/${plugin.id}`, key, { config_schema: more })
    expect((await app.patch(at, key, { enabled: false })).status).toBe(200)
    const refused = await app.patch(at, key, { enabled: true })
    expect(refused.body).toMatchObject(wrong("config__region", "required"))
    const complete = { enabled: true, config: { region: "eu" } }
    expect((await app.patch(at, key, complete)).body.enabled).toBe(true)
  })

  test("never shows a setting that the plugin calls secret later, or once did", async () => {
    const { url, at, key, plugin } = await addConfig()
    const swapped = [{ key: "url", secret: true }, { key: "token" }]
    await app.patch(`${url}/pipeline_destinations/${plugin.id}`, key, { config_schema: swapped })
    const { body } = await app.get(at, key)
    expect(body.config).toMatchObject({ url: "********", token: "********" })
    // Sent back as it was shown, the value behind the mask stays.
    const shown = { url: body.config.url, token: body.config.token }
    expect((await app.patch(at, key, { config: shown })).status).toBe(200)
    await app.patch(`${url}/pipeline_destinations/${plugin.id}`, key, { config_schema: schema })
    const [row] = await app.db<{ config: object }[]>`
      select config from plugin_config where id = ${body.id as number}`
    expect(JSON.stringify(row?.config)).not.toContain("********")
  })
})

describe("configs", () => {
  test("are listed in the order in which they run", async () => {
    const { configs, key, plugin } = await addPlugin([])
    const ids: number[] = []
    for (const order of [3, 1, 2]) {
      ids.push((await app.post(configs, key, { plugin: plugin.id, order })).body.id)
    }
    const { body } = await app.get(`${configs}?limit=2`, key)
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([ids[1], ids[2]])
    expect(body).toMatchObject({ count: 3, next: expect.stringContaining("offset=2") })
  })

  test("that are removed are gone with their secrets, once", async () => {
    const { at, key, configs, config } = await addConfig({ enabled: true })
    expect(await app.delete(at, key)).toMatchObject({ status: 204, text: "" })
    for (const answer of [
      await app.get(at, key),
      await app.patch(at, key, { enabled: true }),
      await app.delete(at, key),
    ]) {
      expect(answer.body).toMatchObject(missing)
    }
    expect((await app.get(configs, key)).body.count).toBe(0)
    const [row] = await app.db`
      select deleted, enabled, config, secrets from plugin_config where id = ${config.id as number}`
    expect(row).toEqual({ deleted: true, enabled: false, config: {}, secrets: {} })
  })

  test("go with their plugin", async () => {
    const { url, at, key, plugin } = await addConfig()
    await app.delete(`${url}/pipeline_destinations/${plugin.id}`, key)
    expect((await app.get(at, key)).body).toMatchObject(missing)
  })

  test("need the organization's plugin level 3, the project and the scope", async () => {
    const { id, at, key, configs, owner, plugin } = await addConfig()
    const reader = await app.addKey(owner.id, { scopes: ["plugin:read"] })
    expect((await app.get(at, reader)).status).toBe(200)
    expect((await app.patch(at, reader, { order: 1 })).body).toMatchObject(denied)
    const other = await app.addOrganization()
    expect((await app.get(configs, other.owner.key)).body).toMatchObject(denied)
    const foreign = `/api/projects/${other.project.id}/plugin_configs/${at.split("/").at(-1)}`
    expect((await app.get(foreign, other.owner.key)).body).toMatchObject(missing)
    await app.db`update organization set plugins_access_level = 3 where id = ${id}`
    expect((await app.patch(at, key, { order: 1 })).status).toBe(200)
    await app.db`update organization set plugins_access_level = 0 where id = ${id}`
    for (const answer of [
      await app.get(configs, key),
      await app.get(at, key),
      await app.post(configs, key, { plugin: plugin.id }),
      await app.patch(at, key, {}),
      await app.delete(at, key),
    ]) {
      expect(answer.body).toMatchObject(denied)
    }
  })

  test.each(["x", "0", "99999999999", "-1"])("have no id like %s", async (id) => {
    const { configs, key } = await addPlugin()
    expect((await app.get(`${configs}/${id}`, key)).body).toMatchObject(missing)
  })
})
