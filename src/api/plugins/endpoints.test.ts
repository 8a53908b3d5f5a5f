import { describe, expect, onTestFinished, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

const missing = { type: "invalid_request", code: "not_found", attr: null }
const wrong = (attr: string | null, code = "invalid_input") => ({
  type: "validation_error",
  code,
  attr,
})

const groups = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const
const fullGroups = groups.slice(0, 2)

async function addOrganization() {
  const organization = await app.addOrganization()
  const { url, owner } = organization
  return { ...organization, key: owner.key, destinations: `${url}/pipeline_destinations` }
}

/** A destination whose source is written here. */
async function addPlugin(draft: object = {}) {
  const organization = await addOrganization()
  const { body } = await app.post(organization.destinations, organization.key, {
    plugin_type: "source",
    name: "Shipping",
    ...draft,
  })
  // Global ones would be in everybody's lists.
  onTestFinished(async () => {
    await app.db`update plugin set is_global = false where id = ${body.id as number}`
  })
  return { ...organization, plugin: body, at: `${organization.destinations}/${body.id}` }
}

describe("a new plugin", () => {
  test.each(groups)(
    "through %s is in that group at once, with defaults for the rest",
    async (group) => {
      const { id, url, key } = await addOrganization()
      expect((await app.get(`${url}/${group}/`, key)).body).toEqual({
        count: 0,
        next: null,
        previous: null,
        results: [],
      })
      const { status, body } = await app.post(`${url}/${group}/`, key, { plugin_type: "source" })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(Number),
        plugin_type: "source",
        name: null,
        description: null,
        url: null,
        icon: null,
        config_schema: {},
        tag: null,
        latest_tag: null,
        is_global: false,
        organization_id: id,
        organization_name: "Acme",
        capabilities: {
          pipeline_destinations: { methods: ["onEvent"], jobs: [], scheduled_tasks: [] },
          pipeline_frontend_apps: {},
          pipeline_import_apps: { methods: [], jobs: [], scheduled_tasks: ["runEveryHour"] },
        }[group],
        metrics: {},
        public_jobs: {},
      })
      expect(await app.get(`${url}/${group}/${body.id}`, key)).toMatchObject({ status: 200, body })
      const list = await app.get(`${url}/${group}`, key)
      expect(list.body).toEqual({ count: 1, next: null, previous: null, results: [body] })
      for (const other of groups.filter((each) => each !== group)) {
        expect((await app.get(`${url}/${other}/${body.id}`, key)).body).toMatchObject(missing)
        expect((await app.get(`${url}/${other}`, key)).body.count).toBe(0)
      }
    },
  )
})

describe("the body of a new plugin", () => {
  test("is kept as it was sent", async () => {
    const draft = {
      name: " Shipping ",
      description: "Ships events",
      icon: "https://example.com/i.svg",
      config_schema: [{ key: "url", type: "string", required: true }],
      tag: "v1",
      capabilities: { methods: ["composeWebhook"], note: "mine" },
      metrics: { sent: "sum" },
      public_jobs: { again: {} },
    }
    const { plugin, at, key } = await addPlugin(draft)
    expect(plugin).toMatchObject({ ...draft, name: "Shipping", latest_tag: null, url: null })
    expect((await app.get(at, key)).body).toEqual(plugin)
  })

  test.each([
    [{ a: 1 }],
    [["x"]],
    [[]],
    [[5, null, { key: "url" }]],
    [{ url: { type: "string" } }],
  ])("may have any object or list as config_schema: %j", async (config_schema) => {
    const { plugin, at, key } = await addPlugin({ config_schema })
    expect(plugin.config_schema).toEqual(config_schema)
    expect((await app.get(at, key)).body.config_schema).toEqual(config_schema)
    const other = { config_schema: { b: [config_schema] } }
    expect((await app.patch(at, key, other)).body).toMatchObject(other)
  })

  test.each([
    [{ methods: "onEvent" }, "methods"],
    [{ methods: { onEvent: true } }, "methods"],
    [{ methods: [5] }, "methods"],
    [{ jobs: 5 }, "jobs"],
    [{ methods: ["onEvent"], scheduled_tasks: "runEveryDay" }, "scheduled_tasks"],
  ])("cannot have the capabilities %j, which are no lists of text", async (capabilities, place) => {
    const { destinations, key } = await addOrganization()
    const draft = { plugin_type: "source", capabilities }
    const { status, body } = await app.post(destinations, key, draft)
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(`capabilities__${place}`))
    expect((await app.get(destinations, key)).body.count).toBe(0)
  })

  test.each([
    ["plugin_type", "webhook", "invalid_choice"],
    ["plugin_type", 5, "invalid_choice"],
    ["name", "a".repeat(201), "max_length"],
    ["name", 5, "invalid_input"],
    ["description", 5, "invalid_input"],
    ["icon", "a".repeat(801), "max_length"],
    ["tag", "a".repeat(201), "max_length"],
    ["is_global", "yes", "invalid_input"],
    ["is_global", null, "null"],
    ["config_schema", "{}", "invalid_input"],
    ["config_schema", null, "null"],
    ["config_schema", 5, "invalid_input"],
    ["config_schema", { url: { hint: "a".repeat(300_000) } }, "max_length"],
    ["capabilities", [], "invalid_input"],
    ["capabilities", { a: "a".repeat(300_000) }, "max_length"],
    ["metrics", "none", "invalid_input"],
    ["public_jobs", 5, "invalid_input"],
    ["url", 5, "invalid_input"],
    ["url", "a".repeat(801), "max_length"],
    ["archive", "UEsDBA==", "invalid_input"],
  ])("has no %s like %j", async (field, value, code) => {
    const { destinations, key } = await addOrganization()
    const draft = { plugin_type: "source", [field]: value }
    const { status, body } = await app.post(destinations, key, draft)
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code })
    expect(body.attr.split("__")[0]).toBe(field)
    expect((await app.get(destinations, key)).body.count).toBe(0)
  })

  test.each([
    {},
    { plugin_type: null },
    { plugin_type: "custom" },
    { plugin_type: "repository", url: "" },
    { plugin_type: "local", url: null },
    { plugin_type: "inline" },
  ])("%j needs a url", async (draft) => {
    const { destinations, key } = await addOrganization()
    const { status, body } = await app.post(destinations, key, draft)
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong("url", "required"))
  })
})

describe("a list", () => {
  test("is by id, in pages with links", async () => {
    const { destinations, key } = await addOrganization()
    const ids: number[] = []
    for (const name of ["b", "a", "c"]) {
      const { body } = await app.post(destinations, key, { plugin_type: "source", name })
      ids.push(body.id)
    }
    const first = await app.get(`${destinations}/?limit=2`, key)
    expect(first.body).toMatchObject({ count: 3, previous: null })
    const second = await app.get(
      new URL(first.body.next).pathname + new URL(first.body.next).search,
      key,
    )
    expect(second.body).toMatchObject({ count: 3, next: null })
    const shown = [...first.body.results, ...second.body.results].map(({ id }) => id)
    expect(shown).toEqual(ids.toSorted((a, b) => a - b))
  })
})

describe("a plugin that the path names", () => {
  test.each(["0", "x", "-1", "1e3", "99999999999", "2147483648", "%20", "1.0"])(
    "by %j does not exist",
    async (id) => {
      const { destinations, key } = await addOrganization()
      for (const path of ["", "/source", "/check_for_updates"]) {
        const { status, body } = await app.get(`${destinations}/${id}${path}`, key)
        expect({ status, body }).toMatchObject({ status: 404, body: missing })
      }
    },
  )

  test("is found before its body is looked at", async () => {
    const { destinations, key } = await addOrganization()
    expect((await app.patch(`${destinations}/7`, key, { name: 5 })).body).toMatchObject(missing)
  })

  test("as an import app can only be looked at", async () => {
    const { url, key } = await addOrganization()
    const imports = `${url}/pipeline_import_apps`
    const { body } = await app.post(imports, key, { plugin_type: "source" })
    for (const method of ["PATCH", "PUT", "DELETE"]) {
      const refused = await app.call(method, `${imports}/${body.id}`, { key, body: {} })
      expect(refused.status).toBe(405)
      expect(refused.body.code).toBe("method_not_allowed")
    }
    const paths = ["source", "check_for_updates", "update_source", "upgrade"]
    for (const path of paths) {
      expect((await app.get(`${imports}/${body.id}/${path}`, key)).status).toBe(404)
    }
    for (const path of ["activity", "unused", "repository", "exports_unsubscribe_configs"]) {
      expect((await app.get(`${imports}/${path}`, key)).body).toMatchObject(missing)
    }
  })
})

describe("changing a plugin", () => {
  test.each(fullGroups)("of %s changes what is sent and keeps the rest", async (group) => {
    const { id, url, key } = await addOrganization()
    const { body: plugin } = await app.post(`${url}/${group}`, key, {
      plugin_type: "source",
      name: "Shipping",
      description: "Ships",
    })
    const at = `${url}/${group}/${plugin.id}`
    const changes = {
      plugin_type: "custom",
      name: "Sailing",
      icon: "i.svg",
      config_schema: { url: { type: "string" } },
      tag: "v2",
      metrics: { sent: "sum" },
      public_jobs: { again: {} },
    }
    const { status, body } = await app.patch(`${at}/`, key, {
      ...changes,
      id: 7,
      url: "file:/etc",
      latest_tag: "v9",
      organization_id: "mine",
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...plugin, ...changes })
    expect((await app.get(at, key)).body).toEqual(body)
    const cleared = await app.call("PUT", at, { key, body: { plugin_type: null, name: null } })
    expect(cleared.body).toEqual({ ...body, plugin_type: null, name: null })
    const [entry] = await app.db<{ item_id: string; detail: { changes: unknown[] } }[]>`
      select activity, item_id, detail from activity_log
      where organization_id = ${id} and scope = 'Plugin' and activity = 'updated' order by id limit 1`
    expect(entry).toMatchObject({ item_id: String(plugin.id) })
    expect(entry?.detail.changes).toContainEqual({
      type: "Plugin",
      action: "changed",
      field: "name",
      before: "Shipping",
      after: "Sailing",
    })
  })

  test.each([
    [{}, "pipeline_frontend_apps"],
    [{ scheduled_tasks: ["runEveryDay"] }, "pipeline_import_apps"],
  ])("takes the capabilities %j as they are and leaves it in its group", async (sent, group) => {
    const { url, at, key, plugin } = await addPlugin()
    const { status, body } = await app.patch(at, key, { capabilities: sent })
    expect(status).toBe(200)
    expect(body).toEqual({ ...plugin, capabilities: sent })
    expect((await app.get(at, key)).body).toEqual(body)
    expect((await app.get(`${url}/${group}/${plugin.id}`, key)).status).toBe(200)
  })

  test.each([
    ["plugin_type", "webhook", "invalid_choice"],
    ["name", "a".repeat(201), "max_length"],
    ["is_global", 1, "invalid_input"],
    ["capabilities", null, "null"],
    ["capabilities__methods", "onEvent", "invalid_input"],
    ["config_schema", 5, "invalid_input"],
  ])("refuses a %s like %j", async (field, value, code) => {
    const { at, key, plugin } = await addPlugin()
    const [name = "", inner] = field.split("__")
    const sent = { [name]: inner === undefined ? value : { [inner]: value } }
    const { status, body } = await app.patch(at, key, { name: "New", ...sent })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(field, code))
    expect((await app.get(at, key)).body).toEqual(plugin)
  })
})

describe("removing a plugin", () => {
  test("takes its source with it, once", async () => {
    const { at, key, plugin, destinations } = await addPlugin()
    await app.patch(`${at}/update_source`, key, { "index.js": "" })
    expect(await app.delete(`${at}/`, key)).toMatchObject({ status: 204, text: "" })
    expect((await app.get(at, key)).status).toBe(404)
    expect((await app.delete(at, key)).body).toMatchObject(missing)
    const files = await app.db`
      select 1 from plugin_source_file where plugin_id = ${plugin.id as number}`
    expect(files).toHaveLength(0)
    const { results } = (await app.get(`${destinations}/activity`, key)).body
    const shown = results.map(({ activity }: { activity: string }) => activity)
    expect(shown).toEqual(["uninstalled", "source_updated", "installed"])
  })

  test("needs it to be local first", async () => {
    const { at, key } = await addPlugin({ is_global: true })
    const { status, body } = await app.delete(at, key)
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
    await app.patch(at, key, { is_global: false })
    expect((await app.delete(at, key)).status).toBe(204)
  })
})
