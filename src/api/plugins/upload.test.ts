import { beforeEach, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { tgzOf, zipOf } from "../../../test/support/plugin-archive.ts"

const app = useTestApp()

const wrong = (attr: string | null, code = "invalid_input") => ({
  type: "validation_error",
  code,
  attr,
})

const config = [{ key: "url", type: "string" }]
const files = {
  "plugin.json": JSON.stringify({ name: "Shipping", config }),
  "index.ts": "export const onEvent = () => {}",
}

let url: string
let key: string

beforeEach(async () => {
  const organization = await app.addOrganization()
  url = `${organization.url}/pipeline_destinations`
  key = organization.owner.key
})

function upload(bytes: Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.set(name, text)
  form.set("archive", new Blob([new Uint8Array(bytes)]), "plugin.zip")
  return app.call("POST", url, { key, body: form })
}

const sourceOf = async (id: number) => (await app.get(`${url}/${id}/source`, key)).body.source

describe("an uploaded archive", () => {
  test("is a custom plugin without url, with the fields of the form", async () => {
    const { status, body } = await upload(zipOf(files), {
      name: "Mine",
      tag: "v1",
      is_global: "false",
      metrics: '{"sent": "sum"}',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      plugin_type: "custom",
      name: "Shipping",
      url: null,
      tag: "v1",
      latest_tag: null,
      config_schema: config,
      metrics: { sent: "sum" },
    })
    expect(await sourceOf(body.id)).toEqual(files)
    expect((await app.post(`${url}/${body.id}/upgrade`, key)).body).toEqual(body)
  })

  test("can do what is sent, else what its source does, else what the group is for", async () => {
    const sent = { capabilities: '{"methods": ["processEvent"]}' }
    const source = { "plugin.json": "{}", "index.js": "exports.composeWebhook = () => {}" }
    const methodsOf = async (archive: Uint8Array, fields = {}) =>
      (await upload(archive, fields)).body.capabilities.methods
    expect(await methodsOf(zipOf(source), sent)).toEqual(["processEvent"])
    expect(await methodsOf(zipOf(source), { capabilities: "{}" })).toEqual(["composeWebhook"])
    expect(await methodsOf(zipOf({ "plugin.json": "{}" }))).toEqual(["onEvent"])
  })

  test("may be a tarball, in a folder, and the same one twice", async () => {
    const packed = await tgzOf({ "package/plugin.json": "{}", "package/index.js": "1" })
    for (const expected of [201, 201]) {
      const { status, body } = await upload(packed, { plugin_type: "source", name: "Mine" })
      expect(status).toBe(expected)
      expect(body).toMatchObject({ plugin_type: "source", name: "Mine" })
      expect(await sourceOf(body.id)).toEqual({ "plugin.json": "{}", "index.js": "1" })
    }
  })

  test.each([
    ["without plugin.json", () => zipOf({ "index.js": "1" })],
    ["without its main file", () => zipOf({ "plugin.json": '{"main": "a"}', "index.js": "1" })],
    ["that leads out of its folder", () => zipOf({ "plugin.json": "{}", "../evil.js": "1" })],
    ["that is no archive", () => Buffer.from("hello")],
    ["that is empty", () => Buffer.alloc(0)],
    ["that is cut off", () => zipOf(files).subarray(0, 60)],
    [
      "that unpacks to far more",
      () => zipOf({ "plugin.json": "{}", "a.js": "0".repeat(60_000_000) }),
    ],
  ])("%s is refused", async (_what, make) => {
    const { status, body } = await upload(make())
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
    expect((await app.get(url, key)).body.count).toBe(0)
  })

  test.each([
    ["config_schema", "{", "invalid_input"],
    ["is_global", "yes", "invalid_input"],
    ["capabilities", '{"a": "\\u0000"}', "invalid_input"],
    ["url", "shipped:webhook", "invalid_input"],
    ["plugin_type", "zip", "invalid_choice"],
  ])("is refused with the %s %s", async (field, text, code) => {
    const { status, body } = await upload(zipOf(files), { [field]: text })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code })
    expect(body.attr.split("__")[0]).toBe(field)
  })
})
