import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { zipOf } from "../../../test/support/plugin-archive.ts"
import { randomLetters } from "../../lib/ids.ts"

const wrong = (attr: string | null, code = "invalid_input") => ({
  type: "validation_error",
  code,
  attr,
})

const config = [{ key: "url", type: "string" }]
const manifest = (name: string) => JSON.stringify({ name, description: "Ships", icon: "i", config })
const files = { "plugin.json": manifest("Shipping"), "index.ts": "export const onEvent = () => {}" }

/** Plays GitHub on loopback: any repository exists, at the commit that `commits` says. */
async function openGitHost() {
  const commits = new Map<string, { sha: string; files: Record<string, string> }>()
  const tokens: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const [, repository = ""] =
      /^\/(?:api\/repos\/)?([\w-]+\/[\w-]+)\//.exec(request.url ?? "") ?? []
    const commit = commits.get(repository)
    tokens.push(request.headers.authorization)
    if (commit === undefined) response.writeHead(404).end("no")
    else if (request.url?.includes("/commits")) response.end(JSON.stringify([{ sha: commit.sha }]))
    else response.end(zipOf(commit.files))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    tokens,
    add: (sha: string, content: Record<string, string>, name = `ana/${randomName()}`) => {
      commits.set(name, { sha, files: content })
      return { name, url: `${url}/${name}` }
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

const randomName = () => randomLetters("abcdefghij", 10)
const FIRST = "1".repeat(40)
const SECOND = "2".repeat(40)

async function findClosedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-plugins-"))
const host = await openGitHost()
const nowhere = `http://127.0.0.1:${await findClosedPort()}`

afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

const app = useTestApp({
  settings: {
    HEDGEROW_PLUGIN_DIR: path.join(folder, "allowed"),
    HEDGEROW_GITHUB_URL: host.url,
    HEDGEROW_GITHUB_API_URL: `${host.url}/api`,
    HEDGEROW_GITLAB_URL: nowhere,
  },
})

let url: string
let key: string

beforeEach(async () => {
  const organization = await app.addOrganization()
  url = `${organization.url}/pipeline_destinations`
  key = organization.owner.key
})

const install = (draft: object) => app.post(url, key, draft)

async function addFolder(content: Record<string, string>, name = `allowed/${randomName()}`) {
  const place = path.join(folder, name)
  await mkdir(place, { recursive: true })
  for (const [file, text] of Object.entries(content)) await writeFile(path.join(place, file), text)
  return place
}

const sourceOf = async (id: number) => (await app.get(`${url}/${id}/source`, key)).body.source

describe("a plugin on the host's disk", () => {
  test("is local, with what its plugin.json says, and is never upgraded", async () => {
    const place = await addFolder(files)
    const { status, body } = await install({ url: `file:${place}`, name: "Mine", description: "M" })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      plugin_type: "local",
      name: "Shipping",
      description: "Ships",
      icon: "i",
      url: `file:${place}`,
      config_schema: config,
      tag: null,
      latest_tag: null,
      capabilities: { methods: ["onEvent"], jobs: [], scheduled_tasks: [] },
    })
    expect(await sourceOf(body.id)).toEqual(files)
    await addFolder({ "plugin.json": manifest("Other") }, path.relative(folder, place))
    expect((await app.post(`${url}/${body.id}/upgrade`, key)).body).toEqual(body)
    expect((await app.get(`${url}/${body.id}/check_for_updates`, key)).body).toEqual(body)
  })

  test("is read only inside the folder that plugins may be in", async () => {
    const outside = await addFolder(files, "outside")
    const link = path.join(folder, "allowed", "link")
    await symlink(outside, link)
    for (const place of [outside, link, "/etc", path.join(folder, "allowed/../outside")]) {
      const { status, body } = await install({ url: `file:${place}` })
      expect(status).toBe(400)
      expect(body).toMatchObject(wrong(null))
      expect(body.detail).toContain("outside")
    }
  })

  test.each([
    ["no plugin.json", { "index.js": "" }, "plugin.json"],
    ["a plugin.json that is no JSON", { "plugin.json": "{" }, "plugin.json is not JSON"],
    ["a version that is not met", { "plugin.json": '{"posthogVersion": ">= 99.0.0"}' }, "99.0.0"],
    ["a main that is not there", { "plugin.json": '{"main": "dist/a.js"}' }, '"dist/a.js"'],
    [
      "settings though it is stateless",
      { "plugin.json": JSON.stringify({ stateless: true, config }) },
      "stateless",
    ],
  ])("is refused with %s", async (_what, content, reason) => {
    const { status, body } = await install({ url: `file:${await addFolder(content)}` })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
    expect(body.detail).toContain(reason)
    expect((await app.get(url, key)).body.count).toBe(0)
  })

  test("can do what its source does, in the group it is installed through", async () => {
    const place = await addFolder({
      "plugin.json": "{}",
      "index.js": "export function runEveryDay() {}",
    })
    const { body } = await install({ url: `file:${place}`, name: "Mine" })
    expect(body).toMatchObject({
      name: "Mine",
      config_schema: {},
      capabilities: { methods: [], jobs: [], scheduled_tasks: ["runEveryDay"] },
    })
    expect((await app.get(`${url}/${body.id}`, key)).status).toBe(200)
  })

  test("is the same one however its path is written", async () => {
    const place = await addFolder(files)
    const name = path.basename(place)
    expect((await install({ url: `file:${name}` })).status).toBe(201)
    for (const again of [`${name}/`, `./${name}`, place, `//${place}`, `a/../${name}?x=1`]) {
      const { status, body } = await install({ url: `file:${again}` })
      expect(status).toBe(400)
      expect(body).toMatchObject(wrong(null))
      expect(body.detail).toContain("already installed")
    }
  })
})

describe("a url", () => {
  test.each([
    "https://example.com/plugin",
    "ftp://github.com/a/b",
    "not a url",
    "file:",
    "shipped:no-such",
  ])("%s is no place for a plugin", async (place) => {
    const { status, body } = await install({ url: place })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
  })

  test("is installed once in the whole instance, whatever its query", async () => {
    const { url: place } = host.add(FIRST, files)
    const first = await install({ url: `${place}?private_token=one` })
    expect(first.status).toBe(201)
    for (const again of [place, `${place}?private_token=two`, `${place}/#readme`]) {
      const { status, body } = await install({ url: again })
      expect(status).toBe(400)
      expect(body).toMatchObject(wrong(null))
    }
    const other = await app.addOrganization()
    const elsewhere = `${other.url}/pipeline_frontend_apps`
    const taken = await app.post(elsewhere, other.owner.key, { url: place })
    expect(taken.body).toMatchObject(wrong(null))
    expect((await app.delete(`${url}/${first.body.id}`, key)).status).toBe(204)
    expect((await app.post(elsewhere, other.owner.key, { url: place })).status).toBe(201)
  })

  test("is installed once, however many try at the same time", async () => {
    const place = `file:${await addFolder(files)}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => install({ url: place })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 400)])
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toMatchObject(wrong(null))
    }
    expect((await app.get(url, key)).body.count).toBe(1)
  })

  test("of a host that does not answer is refused at once, with the reason", async () => {
    const { status, body } = await install({ url: `${nowhere}/ana/plugin` })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
    expect(body.detail).toContain("could not be reached: ECONNREFUSED")
  })

  test("of a plugin that is shipped works without a network", async () => {
    const { status, body } = await install({ url: "shipped:webhook", plugin_type: "repository" })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      plugin_type: "repository",
      name: "Webhook",
      url: "shipped:webhook",
      capabilities: { methods: ["composeWebhook"] },
    })
    expect((await app.post(`${url}/${body.id}/upgrade`, key)).body).toEqual(body)
    const { results } = (await app.get(`${url}/repository`, key)).body
    const { id, organization_name } = results.find((each: { url: string }) => each.url === body.url)
    expect({ id, organization_name }).toEqual({ id: body.id, organization_name: "Acme" })
  })

  test("of a plugin that is shipped is installed once per organization", async () => {
    const draft = { url: "shipped:event-log" }
    const answers = await Promise.all([install(draft), install(draft), install(draft)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    const other = await app.addOrganization()
    const elsewhere = `${other.url}/pipeline_destinations`
    const first = answers.find(({ status }) => status === 201)?.body
    await app.patch(`${url}/${first.id}`, key, { is_global: true })
    const { status, body } = await app.post(elsewhere, other.owner.key, draft)
    expect(status).toBe(201)
    const { results } = (await app.get(`${elsewhere}/repository`, other.owner.key)).body
    const offered = results.find((each: { url: string }) => each.url === draft.url)
    expect(offered).toMatchObject({ id: body.id, organization_id: other.id })
    await app.patch(`${url}/${first.id}`, key, { is_global: false })
  })
})

describe("a plugin on GitHub", () => {
  test("knows its commit, hears of newer ones and is upgraded to the newest", async () => {
    const { name, url: place } = host.add(FIRST, files)
    const { status, body } = await install({ plugin_type: "repository", url: place })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      plugin_type: "repository",
      url: place,
      name: "Shipping",
      tag: FIRST,
      latest_tag: FIRST,
    })
    const at = `${url}/${body.id}`
    expect((await app.get(`${at}/check_for_updates`, key)).body).toEqual(body)
    const newer = {
      "plugin.json": manifest("Sailing"),
      "index.js": "exports.composeWebhook = () => 1",
    }
    host.add(SECOND, newer, name)
    const checked = await app.get(`${at}/check_for_updates/`, key)
    expect(checked.body).toEqual({ ...body, latest_tag: SECOND })
    const upgraded = await app.post(`${at}/upgrade/`, key)
    expect(upgraded.status).toBe(200)
    expect(upgraded.body).toEqual({
      ...body,
      name: "Sailing",
      tag: SECOND,
      latest_tag: SECOND,
      capabilities: { methods: ["composeWebhook"], jobs: [], scheduled_tasks: [] },
    })
    expect(await sourceOf(body.id)).toEqual(newer)
    const { results } = (await app.get(`${url}/activity`, key)).body
    expect(results.map(({ activity }: { activity: string }) => activity)).toEqual([
      "upgraded",
      "installed",
    ])
  })

  test("keeps its private token to itself and uses it again", async () => {
    const { url: place } = host.add(FIRST, files)
    const { body } = await install({ url: `${place}?private_token=s3cret` })
    expect(body).toMatchObject({ plugin_type: "custom", url: place })
    host.tokens.length = 0
    expect((await app.post(`${url}/${body.id}/upgrade`, key)).status).toBe(200)
    expect(new Set(host.tokens)).toEqual(new Set(["Bearer s3cret"]))
    const rows = await app.db<
      { text: string }[]
    >`select p::text as text from plugin p where id = ${body.id as number}`
    expect(rows[0]?.text).not.toContain("s3cret")
    const { text } = await app.get(`${url}/activity`, key)
    expect(text).not.toContain("s3cret")
  })

  test("that has no code any more can do what its group is for", async () => {
    const source = { ...files, "index.ts": "export const composeWebhook = () => null" }
    const { name, url: place } = host.add(FIRST, source)
    const { body } = await install({ url: place })
    expect(body.capabilities.methods).toEqual(["composeWebhook"])
    host.add(SECOND, { "plugin.json": "{}" }, name)
    const upgraded = await app.post(`${url}/${body.id}/upgrade`, key)
    expect(upgraded.body.capabilities.methods).toEqual(["onEvent"])
  })

  test("that is gone stays as it is when it is checked or upgraded", async () => {
    const { name, url: place } = host.add(FIRST, files)
    const { body } = await install({ url: place })
    host.add(SECOND, { "index.js": "1" }, name)
    const broken = await app.post(`${url}/${body.id}/upgrade`, key)
    expect(broken.body).toMatchObject(wrong(null))
    expect((await app.get(`${url}/${body.id}`, key)).body).toEqual(body)
    expect(await sourceOf(body.id)).toEqual(files)
  })

  test("that does not exist is refused", async () => {
    const { status, body } = await install({ url: `${host.url}/ana/nothing` })
    expect(status).toBe(400)
    expect(body).toMatchObject(wrong(null))
    expect(body.detail).toContain("ana/nothing")
  })
})
