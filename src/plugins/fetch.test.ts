import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { zipSync } from "fflate"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type FetchSettings, fetchPlugin, findLatestTag } from "./fetch.ts"
import { parseLocation } from "./location.ts"

const SHA = "0123456789abcdef0123456789abcdef01234567"
const zip = Buffer.from(zipSync({ "plugin-0123/plugin.json": new TextEncoder().encode("{}") }))
const files = new Map([["plugin.json", "{}"]])

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

/** Plays the documented endpoints of both hosts on loopback. */
let server: Server
let base: string
let answers: Record<string, Answer>
let seen: { url: string; headers: IncomingMessage["headers"] }[]
let settings: FetchSettings

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers })
    const answer = answers[request.url ?? ""] ?? { status: 404, body: "no" }
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hosts = { githubUrl: base, githubApiUrl: `${base}/api/v3`, gitlabUrl: `${base}/lab/` }
  settings = { localRoot: undefined, hosts }
})

beforeEach(() => {
  seen = []
  answers = {
    "/api/v3/repos/ana/plugin/commits?per_page=1": {
      status: 200,
      body: JSON.stringify([{ sha: SHA }]),
    },
    "/api/v3/repos/ana/plugin/commits/tags/v1": { status: 200, body: JSON.stringify({ sha: SHA }) },
    [`/api/v3/repos/ana/plugin/zipball/${SHA}`]: { status: 200, body: zip },
    [`/ana/plugin/archive/${SHA}.zip`]: {
      status: 302,
      headers: { location: "/codeload/plugin.zip" },
    },
    "/codeload/plugin.zip": { status: 200, body: zip },
  }
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const locate = (place: string) => parseLocation(`${base}/${place}`, settings.hosts)
const fetchFrom = (place: string) => fetchPlugin(locate(place), settings)

describe("a plugin on GitHub", () => {
  test("is fetched at the newest commit, following a redirect", async () => {
    expect(await fetchFrom("ana/plugin")).toEqual({ files, tag: SHA })
  })

  test("is fetched at a tag, or at a commit without asking which", async () => {
    expect(await fetchFrom("ana/plugin/archive/refs/tags/v1.zip")).toEqual({ files, tag: SHA })
    seen = []
    expect(await fetchFrom(`ana/plugin/commit/${SHA}`)).toEqual({ files, tag: SHA })
    expect(seen).toHaveLength(2)
  })

  test("says its newest commit", async () => {
    expect(await findLatestTag(locate("ana/plugin"), settings)).toBe(SHA)
    expect(seen).toHaveLength(1)
  })

  test("with a private token is fetched through the API, which gets the token as a header", async () => {
    expect(await fetchFrom("ana/plugin?private_token=s3cret")).toEqual({ files, tag: SHA })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer s3cret",
      "Bearer s3cret",
    ])
    expect(seen.every(({ url }) => !url.includes("s3cret"))).toBe(true)
  })

  test("that is not there, or has no commit, is refused", async () => {
    await expect(fetchFrom("ana/gone")).rejects.toThrow("ana/gone was not found, or is private")
    answers["/api/v3/repos/ana/empty/commits?per_page=1"] = { status: 200, body: "[]" }
    await expect(fetchFrom("ana/empty")).rejects.toThrow("has no commit")
  })

  const statuses: [status: number, reason: string][] = [
    [401, "does not accept the private token"],
    [403, "asked for too often"],
    [429, "asked for too often"],
    [500, "answered 500"],
  ]
  test.each(statuses)(
    "is refused with a reason when the host answers %i",
    async (status, reason) => {
      answers[`/ana/plugin/archive/${SHA}.zip`] = { status }
      await expect(fetchFrom("ana/plugin")).rejects.toMatchObject({
        kind: "invalid",
        message: expect.stringContaining(reason),
      })
    },
  )

  test("is not followed in circles or to a host without https", async () => {
    const archive = `/ana/plugin/archive/${SHA}.zip`
    answers[archive] = { status: 302, headers: { location: archive } }
    await expect(fetchFrom("ana/plugin")).rejects.toThrow("redirected more than 5 times")
    answers[archive] = { status: 302, headers: { location: "http://example.invalid/x" } }
    await expect(fetchFrom("ana/plugin")).rejects.toThrow("not https")
  })

  test("may not be larger than an archive may be", async () => {
    answers["/codeload/plugin.zip"] = { status: 200, body: Buffer.alloc(21 * 1024 * 1024) }
    await expect(fetchFrom("ana/plugin")).rejects.toThrow("has more than 20971520 bytes")
  })
})

describe("a plugin on GitLab", () => {
  const api = "/lab/api/v4/projects/group%2Fsub%2Fplugin/repository"
  const place = (ref?: string) => ({
    kind: "gitlab" as const,
    repository: "group/sub/plugin",
    ref,
    token: "s3cret",
  })

  test("is fetched at the newest commit or at a ref, with its token as a header", async () => {
    answers[`${api}/commits?per_page=1`] = { status: 200, body: JSON.stringify([{ id: SHA }]) }
    answers[`${api}/commits?per_page=1&ref_name=v1`] = {
      status: 200,
      body: JSON.stringify([{ id: SHA }]),
    }
    answers[`${api}/archive.zip?sha=${SHA}`] = { status: 200, body: zip }
    expect(await fetchPlugin(place(), settings)).toEqual({ files, tag: SHA })
    expect(await fetchPlugin(place("v1"), settings)).toEqual({ files, tag: SHA })
    expect(await findLatestTag(place(), settings)).toBe(SHA)
    expect(new Set(seen.map(({ headers }) => headers["private-token"]))).toEqual(
      new Set(["s3cret"]),
    )
  })
})

test("a host that cannot be reached is a refusal that says so", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
  await new Promise((resolve) => other.close(resolve))
  const closed = { ...settings.hosts, githubApiUrl: `http://${host}` }
  const location = parseLocation(`${base}/ana/plugin`, closed)
  await expect(fetchPlugin(location, { ...settings, hosts: closed })).rejects.toMatchObject({
    kind: "invalid",
    message: `the repository ana/plugin: ${host} could not be reached: ECONNREFUSED`,
  })
})

test("plugins without versions have no latest tag", async () => {
  expect(await findLatestTag({ kind: "file", path: "a" }, settings)).toBeUndefined()
  expect(await findLatestTag({ kind: "shipped", name: "webhook" }, settings)).toBeUndefined()
})
