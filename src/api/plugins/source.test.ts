import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { MAX_FILE_BYTES, MAX_PLUGIN_FILES } from "../../plugins/files.ts"

const app = useTestApp()

const wrong = (attr: string | null) => ({
  type: "validation_error",
  code: "invalid_input",
  attr,
})

type Group = "pipeline_destinations" | "pipeline_frontend_apps"

async function addPlugin(group: Group = "pipeline_destinations") {
  const { id, url, owner } = await app.addOrganization()
  const { key } = owner
  const { body: plugin } = await app.post(`${url}/${group}`, key, { plugin_type: "source" })
  const at = `${url}/${group}/${plugin.id}`
  const edit = (files: unknown) => app.patch(`${at}/update_source`, key, files)
  return { id, key, plugin, at, edit, read: () => app.get(`${at}/source`, key) }
}

async function rowOf(pluginId: number, filename: string) {
  const [row] = await app.db`
    select transpiled, status, error from plugin_source_file
    where plugin_id = ${pluginId} and filename = ${filename}`
  return row
}

describe("the source of a plugin", () => {
  test("is empty at first", async () => {
    const { plugin, read } = await addPlugin()
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({ ...plugin, source: {}, source_errors: {} })
  })

  test("takes new files, changes and removals, and keeps what is not named", async () => {
    const { edit, read } = await addPlugin()
    const first = await edit({ "index.js": "1", "README.md": "Hi" })
    expect(first.status).toBe(200)
    expect(first.body.source).toEqual({ "index.js": "1", "README.md": "Hi" })
    const second = await edit({ "index.js": "2", "lib/more.js": "3" })
    const both = { "index.js": "2", "lib/more.js": "3", "README.md": "Hi" }
    expect(second.body.source).toEqual(both)
    const third = await edit({ "README.md": null, "gone.js": null })
    expect(third.body.source).toEqual({ "index.js": "2", "lib/more.js": "3" })
    expect((await edit({})).body).toEqual(third.body)
    expect((await read()).body).toEqual(third.body)
  })

  test("may have a file called __proto__", async () => {
    const headers = { "content-type": "application/json" }
    const { at, key } = await addPlugin()
    const body = '{"__proto__": "1", "constructor": "2"}'
    const answer = await app.call("PATCH", `${at}/update_source`, { key, body, headers })
    expect(answer.text).toContain('"source":{"__proto__":"1","constructor":"2"}')
  })

  test("tells name and settings when it has a plugin.json", async () => {
    const { edit, at, key } = await addPlugin()
    const config = [{ key: "url", type: "string", required: true }]
    const { body } = await edit({ "plugin.json": JSON.stringify({ name: "Hello", config }) })
    expect(body).toMatchObject({ name: "Hello", config_schema: config })
    const renamed = await edit({ "plugin.json": JSON.stringify({ name: "Bye" }) })
    expect(renamed.body).toMatchObject({ name: "Bye", config_schema: {} })
    await app.patch(at, key, { name: "Mine" })
    expect((await edit({ "plugin.json": null })).body.name).toBe("Mine")
  })

  test.each(["{", "[]", '{"name": 5}', '{"config": [{}]}', '{"posthogVersion": ">= 99"}'])(
    "is left alone by an edit with the plugin.json %j",
    async (text) => {
      const { edit, read } = await addPlugin()
      const before = (await edit({ "index.js": "1" })).body
      const { status, body } = await edit({ "index.js": "2", "plugin.json": text })
      expect(status).toBe(400)
      expect(body).toMatchObject(wrong("plugin.json"))
      expect((await read()).body).toEqual(before)
    },
  )

  test.each([
    ["a number", { "index.js": 5 }, "index.js"],
    ["a flag", { "index.js": true }, "index.js"],
    ["an object", { "index.js": {} }, "index.js"],
    ["a way out", { "../index.js": "" }, "../index.js"],
    ["an absolute name", { "/etc/passwd": "" }, "/etc/passwd"],
    ["no name", { "": "" }, ""],
    ["a large file", { "index.js": "a".repeat(MAX_FILE_BYTES + 1) }, "index.js"],
    [
      "too many files",
      Object.fromEntries(Array.from({ length: MAX_PLUGIN_FILES + 1 }, (_, i) => [`${i}.js`, ""])),
      null,
    ],
    ["a list", ["index.js"], null],
    ["text", '"index.js"', null],
    ["nothing", "null", null],
  ])("cannot have %s", async (_what, edit, attr) => {
    const { at, key, read } = await addPlugin()
    const body = typeof edit === "string" ? edit : JSON.stringify(edit)
    const headers = { "content-type": "application/json" }
    const answer = await app.call("PATCH", `${at}/update_source`, { key, body, headers })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject(wrong(attr))
    expect((await read()).body.source).toEqual({})
  })

  test("is compiled where it is TypeScript; an error is kept on the file until it is mended", async () => {
    const { plugin, edit } = await addPlugin("pipeline_frontend_apps")
    const good = await edit({ "site.ts": "export const a: number = 1" })
    expect(good.body).toMatchObject({ source_errors: {}, capabilities: {} })
    expect(await rowOf(plugin.id, "site.ts")).toMatchObject({
      transpiled: expect.stringContaining("const a = 1"),
      status: "transpiled",
      error: null,
    })
    const bad = await edit({ "site.ts": "export const a: = 1" })
    expect(bad.status).toBe(200)
    expect(bad.body.source).toEqual({ "site.ts": "export const a: = 1" })
    expect(bad.body.source_errors["site.ts"]).toMatch(/^site\.ts:1:17: /)
    expect(await rowOf(plugin.id, "site.ts")).toMatchObject({ transpiled: null, status: "error" })
    const mended = await edit({ "site.ts": "export const a = 2" })
    expect(mended.body.source_errors).toEqual({})
    await edit({ "site.ts": null })
    expect(await rowOf(plugin.id, "site.ts")).toBeUndefined()
  })

  test("tells what the plugin can do", async () => {
    const { at, key, edit } = await addPlugin()
    const source = `export function composeWebhook(event: object) { return null }
      export const jobs = { again: async () => {} }
      export async function runEveryDay() {}`
    const { body } = await edit({ "index.ts": source })
    const known = {
      methods: ["composeWebhook"],
      jobs: ["again"],
      scheduled_tasks: ["runEveryDay"],
    }
    expect(body.capabilities).toEqual(known)
    const broken = await edit({ "index.ts": "export function (" })
    expect(broken.body.capabilities).toEqual(known)
    expect(broken.body.source_errors["index.ts"]).toMatch(/^index\.ts:1:/)
    const other = await edit({ "index.ts": "export function processEvent(e) { return e }" })
    expect(other.body.capabilities).toEqual({
      methods: ["processEvent"],
      jobs: [],
      scheduled_tasks: [],
    })
    expect((await app.get(at, key)).status).toBe(200)
  })

  test("that is removed takes what it could do with it", async () => {
    const { edit, plugin } = await addPlugin()
    await edit({ "index.ts": "export function composeWebhook() {}", "README.md": "Hi" })
    const { body } = await edit({ "index.ts": null })
    expect(body.capabilities).toEqual(plugin.capabilities)
  })

  test("can be mended when its plugin.json is wrong by newer rules", async () => {
    const { edit, plugin } = await addPlugin()
    await edit({ "plugin.json": "{}", "index.js": "exports.composeWebhook = () => {}" })
    await app.db`
      update plugin_source_file set source = '{"posthogVersion": ">= 99"}'
      where plugin_id = ${plugin.id as number} and filename = 'plugin.json'`
    const { status, body } = await edit({ "plugin.json": "{}", "index.js": null })
    expect(status).toBe(200)
    expect(body.capabilities).toEqual(plugin.capabilities)
  })

  test("without code leaves the capabilities that the caller gave", async () => {
    const { at, key, edit } = await addPlugin()
    const capabilities = { methods: ["composeWebhook"] }
    await app.patch(at, key, { capabilities })
    expect((await edit({ "README.md": "Hi" })).body.capabilities).toEqual(capabilities)
  })

  test("may get its main file later than its plugin.json, which says so until then", async () => {
    const { edit } = await addPlugin()
    const early = await edit({ "plugin.json": '{"main": "src/main.ts"}' })
    expect(early.status).toBe(200)
    expect(early.body.source_errors["plugin.json"]).toContain('main names "src/main.ts"')
    const { body } = await edit({ "src/main.ts": "export const composeWebhook = () => null" })
    expect(body.source_errors).toEqual({})
    expect(body.capabilities.methods).toEqual(["composeWebhook"])
  })

  test("is read at the place that plugin.json names, whatever it is written in", async () => {
    const { edit } = await addPlugin()
    await edit({ "src/main.ts": "export function composeWebhook() { return null }" })
    const { body } = await edit({ "plugin.json": '{"main": "src/main.ts"}' })
    expect(body.capabilities.methods).toEqual(["composeWebhook"])
    const again = await edit({ "README.md": "Hi" })
    expect(again.body.capabilities.methods).toEqual(["composeWebhook"])
  })

  test("that JavaScript cannot be read from says so", async () => {
    const { edit } = await addPlugin()
    const { status, body } = await edit({ "index.js": "export function (" })
    expect(status).toBe(200)
    expect(body.source_errors["index.js"]).toMatch(/^index\.js:1:\d+: /)
    expect((await edit({ "index.js": "export const a = 1" })).body.source_errors).toEqual({})
  })

  test("is in the log by file names, without text", async () => {
    const { at, key, edit } = await addPlugin()
    await edit({ "index.js": "let secret = 1; export const onEvent = () => secret" })
    const { body } = await app.get(`${at.replace(/\/\d+$/, "")}/activity`, key)
    expect(body.results[0]).toMatchObject({
      activity: "source_updated",
      detail: {
        changes: [
          {
            type: "PluginSourceFile",
            action: "created",
            field: "index.js",
            before: null,
            after: null,
          },
        ],
      },
    })
    expect(JSON.stringify(body)).not.toContain("let secret")
  })

  test("loses no file to edits at the same time", async () => {
    const { edit, read } = await addPlugin()
    const names = Array.from({ length: 12 }, (_, i) => `file-${i}.js`)
    const answers = await Promise.all([
      ...names.map((name) => edit({ [name]: name })),
      edit({ "index.ts": "export const composeWebhook = (e: object) => null" }),
      edit({ "plugin.json": '{"name": "Hello", "main": "index.ts"}' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await read()
    expect(Object.keys(body.source).sort()).toEqual(["index.ts", "plugin.json", ...names].sort())
    expect(body).toMatchObject({ name: "Hello", capabilities: { methods: ["composeWebhook"] } })
  })

  test("that is removed while it is edited answers 404 or 200, never a bug", async () => {
    const { at, key, edit } = await addPlugin()
    const answers = await Promise.all([
      edit({ "index.ts": "1" }),
      app.delete(at, key),
      edit({ "index.ts": "2" }),
    ])
    expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true)
    expect((await app.get(at, key)).status).toBe(404)
  })
})
