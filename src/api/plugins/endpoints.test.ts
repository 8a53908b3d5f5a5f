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

const groups = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const
const fullGroups = groups.slice(0, 2)

async function addOrganization(level = 9) {
  const organization = await app.addOrganization()
  const { id, url, owner } = organization
  await app.db`update organization set plugins_access_level = ${level} where id = ${id}`
  return { ...organization, key: owner.key, destinations: `${url}/pipeline_destinations` }
}

async function setLevel(organizationId: string, level: number) {
  await app.db`
    update organization set plugins_access_level = ${level} where id = ${organizationId}`
}

/** A destination whose source is written here. */
async function addPlugin(draft: object = {}) {
  const organization = await addOrganization()
  const { body } = await app.post(organization.destinations, organization.key, {
    plugin_type: "source",
    name: "Shipping",
    ...draft,
  })
  return { ...organization, plugin: body, at: `${organization.destinations}/${body.id}` }
}

describe("a new plugin", () => {
  test.each(groups)("through %s is in that group at once, with defaults for the rest", async (group) => {
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
  })
})
