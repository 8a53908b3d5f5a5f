import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { tgzOf } from "../../../test/support/plugin-archive.ts"

const app = useTestApp()

/** A registry on loopback with one package; which version is its latest is for the test to say. */
async function openRegistry() {
  const packed = await tgzOf({
    "package/package.json": '{"name": "hello-plugin", "version": "1.0.0"}',
    "package/plugin.json": '{"name": "Hello"}',
    "package/index.js": "exports.onEvent = () => {}",
  })
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`
  const state = { latest: "1.0.0" }
  const server = createServer((request, response) => {
    const dist = { tarball: `http://${request.headers.host}/hello-plugin.tgz`, integrity }
    const version = { name: "hello-plugin", version: state.latest, dist }
    const tags = { "dist-tags": { latest: state.latest } }
    const document = { name: "hello-plugin", ...tags, versions: { [state.latest]: version } }
    const isPackage = request.url === "/hello-plugin"
    if (request.url === "/hello-plugin.tgz") response.end(packed)
    else response.writeHead(isPackage ? 200 : 404).end(JSON.stringify(isPackage ? document : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { state, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

let registry: Awaited<ReturnType<typeof openRegistry>>
let cache: string

// npm takes its registry from the operator's configuration, of which the environment is a part.
beforeAll(async () => {
  registry = await openRegistry()
  cache = await mkdtemp(path.join(tmpdir(), "hedgerow-npm-cache-"))
  process.env.npm_config_registry = registry.url
  process.env.npm_config_cache = cache
})

afterAll(async () => {
  delete process.env.npm_config_registry
  delete process.env.npm_config_cache
  await new Promise((resolve) => registry.server.close(resolve).closeAllConnections())
  await rm(cache, { recursive: true, force: true })
})

test("an npm package is installed by its name, once, and hears of a newer version", {
  timeout: 30_000,
}, async () => {
  const { url, owner } = await app.addOrganization()
  const destinations = `${url}/pipeline_destinations`
  const { status, body } = await app.post(destinations, owner.key, { url: "hello-plugin" })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    plugin_type: "custom",
    name: "Hello",
    url: "hello-plugin",
    tag: "1.0.0",
    latest_tag: "1.0.0",
    capabilities: { methods: ["onEvent"] },
  })
  const page = { url: "https://www.npmsite.com/package/hello-plugin/" }
  const again = await app.post(destinations, owner.key, page)
  expect(again.status).toBe(400)
  expect(again.body.detail).toContain("already installed")
  registry.state.latest = "1.1.0"
  const checked = await app.get(`${destinations}/${body.id}/check_for_updates`, owner.key)
  expect(checked.body).toEqual({ ...body, latest_tag: "1.1.0" })
})

test("an npm package that does not exist is refused", { timeout: 30_000 }, async () => {
  const { url, owner } = await app.addOrganization()
  const draft = { url: "no-such-plugin" }
  const { status, body } = await app.post(`${url}/pipeline_destinations`, owner.key, draft)
  expect(status).toBe(400)
  expect(body).toMatchObject({ type: "validation_error", code: "invalid_input", attr: null })
  expect(body.detail).toContain("no-such-plugin")
})
