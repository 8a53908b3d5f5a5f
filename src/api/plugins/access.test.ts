import { describe, expect, onTestFinished, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }
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
  // Global ones would be in everybody's lists.
  onTestFinished(async () => {
    await app.db`update plugin set is_global = false where id = ${body.id as number}`
  })
  return { ...organization, plugin: body, at: `${organization.destinations}/${body.id}` }
}

describe("the access level of the organization", () => {
  test.each([
    { level: 0, read: 403, write: 403 },
    { level: 3, read: 200, write: 403 },
    { level: 6, read: 200, write: 201 },
    { level: 9, read: 200, write: 201 },
  ])("$level: reading answers $read, installing $write", async ({ level, read, write }) => {
    const { destinations, key, url } = await addOrganization(level)
    const paths = ["", "/activity", "/unused", "/repository", "/exports_unsubscribe_configs"]
    for (const path of paths) {
      const answer = await app.get(`${destinations}${path}`, key)
      expect(answer.status).toBe(read)
      if (read === 403) expect(answer.body).toMatchObject(denied)
    }
    const installed = await app.post(destinations, key, { plugin_type: "source" })
    expect(installed.status).toBe(write)
    if (write === 403) expect(installed.body).toMatchObject(denied)
    expect((await app.get(`${url}/pipeline_import_apps`, key)).status).toBe(read)
  })

  test("is not enough for a plain member to put a plugin into everybody's lists", async () => {
    const { id, destinations } = await addOrganization(9)
    const member = await app.addMember(id)
    const draft = { plugin_type: "source", is_global: true }
    const refused = await app.post(destinations, member.key, draft)
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 403,
      body: denied,
    })
    const own = await app.post(destinations, member.key, { plugin_type: "source" })
    expect(own.status).toBe(201)
  })

  test("comes before the body is looked at", async () => {
    const { destinations, key } = await addOrganization(3)
    expect((await app.post(destinations, key, { plugin_type: 5 })).body).toMatchObject(denied)
  })

  test.each([0, 3])("%i lets nobody change, upgrade, edit or remove a plugin", async (level) => {
    const { id, at, key, plugin } = await addPlugin()
    await setLevel(id, level)
    const answers = [
      await app.patch(at, key, { name: "Mine" }),
      await app.call("PUT", at, { key, body: { name: "Mine" } }),
      await app.patch(`${at}/update_source`, key, { "index.js": "" }),
      await app.post(`${at}/upgrade`, key),
      await app.get(`${at}/check_for_updates`, key),
      await app.delete(at, key),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(403)
      expect(body).toMatchObject(denied)
    }
    await setLevel(id, 6)
    expect((await app.get(at, key)).body).toEqual(plugin)
    expect((await app.delete(at, key)).status).toBe(204)
  })

  test("must be 9 to make a plugin global, or local again", async () => {
    const { id, destinations, key } = await addOrganization(6)
    const draft = { plugin_type: "source", is_global: true }
    expect((await app.post(destinations, key, draft)).body).toMatchObject(denied)
    await setLevel(id, 9)
    const { status, body } = await app.post(destinations, key, draft)
    expect({ status, body }).toMatchObject({ status: 201, body: { is_global: true } })
    const at = `${destinations}/${body.id}`
    await setLevel(id, 6)
    for (const isGlobal of [false, true]) {
      const refused = await app.patch(at, key, { is_global: isGlobal })
      expect(refused.body).toMatchObject(denied)
    }
    expect((await app.patch(at, key, { name: "Mine" })).status).toBe(200)
    await setLevel(id, 9)
    expect((await app.patch(at, key, { is_global: false })).body.is_global).toBe(false)
    expect((await app.patch(at, key, { is_global: true })).body.is_global).toBe(true)
    expect((await app.patch(at, key, { is_global: false })).body.is_global).toBe(false)
  })

  test("asks nothing of the member's level", async () => {
    const { id, destinations } = await addOrganization()
    const member = await app.addMember(id)
    const { status, body } = await app.post(destinations, member.key, { plugin_type: "source" })
    expect(status).toBe(201)
    expect((await app.delete(`${destinations}/${body.id}`, member.key)).status).toBe(204)
  })
})

describe("another organization", () => {
  test("does not see a plugin that is not global", async () => {
    const { plugin } = await addPlugin()
    const other = await addOrganization()
    const at = `${other.destinations}/${plugin.id}`
    const answers = [
      await app.get(at, other.key),
      await app.patch(at, other.key, { name: "Mine" }),
      await app.delete(at, other.key),
      await app.get(`${at}/source`, other.key),
      await app.get(`${at}/check_for_updates`, other.key),
      await app.patch(`${at}/update_source`, other.key, {}),
      await app.post(`${at}/upgrade`, other.key),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toMatchObject(missing)
    }
    expect((await app.get(other.destinations, other.key)).body.count).toBe(0)
  })

  test("sees a global plugin and changes nothing of it", async () => {
    const { plugin, at: own, key } = await addPlugin({ is_global: true })
    const other = await addOrganization()
    const at = `${other.destinations}/${plugin.id}`
    expect((await app.get(at, other.key)).body).toEqual(plugin)
    const { results } = (await app.get(`${other.destinations}?limit=1000`, other.key)).body
    expect(results).toContainEqual(plugin)
    const refused = [
      await app.patch(at, other.key, { name: "Mine" }),
      await app.delete(at, other.key),
      await app.patch(`${at}/update_source`, other.key, {}),
      await app.post(`${at}/upgrade`, other.key),
    ]
    for (const { body } of refused) expect(body).toMatchObject(denied)
    for (const path of ["source", "check_for_updates"]) {
      expect((await app.get(`${at}/${path}`, other.key)).body).toMatchObject(missing)
    }
    await app.patch(own, key, { is_global: false })
    expect((await app.get(at, other.key)).status).toBe(404)
  })

  test("still sees a plugin that is not global any more while a project of it uses it", async () => {
    const { plugin, at: own, key } = await addPlugin({ is_global: true })
    const other = await addOrganization()
    const configs = `/api/projects/${other.project.id}/plugin_configs`
    const config = await app.post(configs, other.key, { plugin: plugin.id })
    expect(config.status).toBe(201)
    await app.patch(own, key, { is_global: false })
    const at = `${other.destinations}/${plugin.id}`
    expect((await app.get(at, other.key)).status).toBe(200)
    expect((await app.patch(at, other.key, { name: "Mine" })).body).toMatchObject(denied)
    await app.delete(`${configs}/${config.body.id}`, other.key)
    expect((await app.get(at, other.key)).body).toMatchObject(missing)
  })

  test("is refused, and so is a key without the scope", async () => {
    const { destinations, at, id, owner } = await addPlugin()
    const stranger = await addOrganization()
    expect((await app.get(destinations, stranger.key)).body).toMatchObject(denied)
    expect((await app.get(at, stranger.key)).body).toMatchObject(denied)
    const reader = await app.addKey(owner.id, { scopes: ["plugin:read"] })
    expect((await app.get(at, reader)).status).toBe(200)
    expect((await app.get(`${at}/source`, reader)).status).toBe(200)
    const refused = await app.post(destinations, reader, { plugin_type: "source" })
    expect(refused.body).toMatchObject({
      ...denied,
      detail: "API key missing required scope 'plugin:write'",
    })
    const elsewhere = await app.addKey(owner.id, { scopes: ["organization:write"] })
    expect((await app.get(at, elsewhere)).body).toMatchObject(denied)
    expect((await app.get(`/api/organizations/${id}/pipeline_import_apps`)).status).toBe(401)
  })
})
