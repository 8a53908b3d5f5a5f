/** What holds for every endpoint there is, by its definition alone. */
import { beforeAll, describe, expect, test } from "vitest"
import type { Endpoint } from "../../src/api/http/endpoint.ts"
import { endpoints } from "../../src/api/index.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()
const guarded = endpoints.filter(({ access }) => access.kind !== "anyone")
const named = (list: readonly Endpoint[]) => list.map((each) => [each.name, each] as const)
const MALFORMED = { body: "{", headers: { "content-type": "application/json" } }

let owner: { key: string; id: number }
let places = { organization: "", project: "" }

beforeAll(async () => {
  const organization = await app.addOrganization()
  owner = organization.owner
  places = { organization: organization.id, project: String(organization.project.id) }
})

/** The path with the caller's own organization or project in it, and `id` everywhere else. */
function urlOf({ path, access }: Endpoint, id: string = newUuid()): string {
  const own = "param" in access ? access.param : ""
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    if (name === own && access.kind === "organization") return places.organization
    return name === own && access.kind === "project" ? places.project : id
  })
}

function hasBody({ method }: Endpoint): boolean {
  return method !== "GET"
}

describe("without a key", () => {
  test.each(named(guarded))(
    "%s is a 401, with and without a slash, whatever is sent",
    async (_name, each) => {
      for (const slash of ["", "/"]) {
        const options = hasBody(each) ? MALFORMED : {}
        const { status, body } = await app.call(each.method, `${urlOf(each)}${slash}`, options)
        expect(status).toBe(401)
        expect(body).toMatchObject({ type: "authentication_error", code: "not_authenticated" })
      }
    },
  )
})

describe("with a key that has another scope", () => {
  const scoped = guarded.filter(({ scope }) => scope !== null)

  test.each(named(scoped))("%s is a 403, whatever is sent", async (_name, each) => {
    const key = await app.addKey(owner.id, { scopes: ["webhook:read"] })
    const options = hasBody(each) ? MALFORMED : {}
    const { status, body } = await app.call(each.method, urlOf(each), { key, ...options })
    expect(status).toBe(403)
    expect(body).toMatchObject({ type: "authentication_error", code: "permission_denied" })
  })
})

describe("every path", () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))]

  test.each(paths)("%s tells its methods, and refuses the others", async (path) => {
    const here = endpoints.filter((each) => each.path === path)
    const methods = here.map(({ method }) => method)
    const [first] = here
    const url = first === undefined ? "" : urlOf(first)
    const expected = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
    const options = await app.call("OPTIONS", url)
    expect(options.status).toBe(204)
    expect(options.headers.get("allow")?.split(", ").toSorted()).toEqual(expected.toSorted())
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
      if (methods.includes(method)) continue
      for (const slash of ["", "/"]) {
        const { status, body, headers } = await app.call(method, `${url}${slash}`)
        expect(status).toBe(405)
        expect(body).toMatchObject({ type: "invalid_request", code: "method_not_allowed" })
        expect(headers.get("allow")).toBe(options.headers.get("allow"))
      }
    }
  })
})

describe("an id that nobody has", () => {
  const withIds = guarded.filter((each) => urlOf(each, "x") !== urlOf(each, "y"))
  const junk = [
    "%00",
    "0",
    "-1",
    "2147483648",
    "9".repeat(40),
    "x".repeat(3_000),
    "%F0%9F%8C%BF",
    "'--",
  ]

  /** Whoever takes a distinct id for the id of a person is told how to find the person; events have uuids. */
  const codeFor = ({ path }: Endpoint, id: string) => {
    if (/^(%00|[\da-f-]{36})$/.test(id)) return undefined
    if (path.includes("/persons/:id") && !/^\d+$/.test(id)) return "invalid_input"
    return path.includes("/events/:id") ? "invalid" : undefined
  }

  test.each(named(withIds))("is a 404 for %s, however strange", async (_name, each) => {
    for (const id of [...junk, newUuid()]) {
      const code = codeFor(each, id)
      const expected = code === undefined ? [404, "not_found"] : [400, code]
      const options = hasBody(each) ? MALFORMED : {}
      const { status, body } = await app.call(each.method, urlOf(each, id), {
        key: owner.key,
        ...options,
      })
      expect([id.slice(0, 20), status, body.code]).toEqual([id.slice(0, 20), ...expected])
    }
  })
})

describe("a strange query", () => {
  const reads = guarded.filter(({ method }) => method === "GET")

  test.each(named(reads))("is never a bug of %s", async (_name, each) => {
    const strange = [
      "limit=%00&offset=%00",
      "a[b]=c&a[b]=d",
      "__proto__=1&constructor=2",
      "%zz&=&&",
    ]
    for (const query of strange) {
      const { status } = await app.call("GET", `${urlOf(each, "@me")}?${query}`, { key: owner.key })
      expect([query, status < 500]).toEqual([query, true])
    }
  })
})

describe("pages over HTTP", () => {
  const COUNT = 1_005
  let key = ""

  beforeAll(async () => {
    const { id, key: made } = await app.addUser("collector")
    key = made
    await app.db`
      with made as (
        insert into organization (id, name, slug, created_at, updated_at)
        select gen_random_uuid(), 'Shop ' || n, 'page-' || n, now() + n * interval '1 ms', now()
        from generate_series(1, ${COUNT}::integer) n returning id)
      insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
      select gen_random_uuid(), made.id, ${id}::integer, 1, now(), now() from made`
  })

  async function page(query: string) {
    const { status, body } = await app.get(`/api/organizations${query}`, key)
    expect(status).toBe(200)
    expect(body.count).toBe(COUNT)
    const names = body.results.map(({ name }: { name: string }) => name)
    return { names, next: body.next?.replace(app.app.address, "") ?? null, previous: body.previous }
  }

  test.each(["", "?limit=0", "?limit=-5", "?limit=many", "?offset=-1", "?limit=1e3"])(
    "have 100 rows when asked by %j",
    async (query) => expect((await page(query)).names).toHaveLength(100),
  )

  test("have 1,000 rows at most, and the next one says so", async () => {
    const first = await page("?limit=5000")
    expect(first.names).toHaveLength(1_000)
    expect(first.next).toBe("/api/organizations?limit=1000&offset=1000")
    const last = await page(first.next.replace("/api/organizations", ""))
    expect([...first.names, ...last.names]).toEqual(
      Array.from({ length: COUNT }, (_, index) => `Shop ${index + 1}`),
    )
    expect(last.next).toBeNull()
    expect(last.previous).toBe(`${app.app.address}/api/organizations?limit=1000`)
  })

  test("beyond the end are empty, and lead back", async () => {
    const beyond = await page("?offset=5000")
    expect(beyond).toMatchObject({ names: [], next: null })
    expect(beyond.previous).toContain("offset=4900")
  })
})

describe("a body", () => {
  const tokenUrl = () => `/api/projects/${places.project}`

  test("that is half sent or of another kind stops even an action that needs none", async () => {
    const before = (await app.get(tokenUrl(), owner.key)).body.api_token
    const url = `${tokenUrl()}/reset_token`
    const half = await app.call("POST", url, { key: owner.key, ...MALFORMED })
    expect(half).toMatchObject({ status: 400, body: { code: "parse_error" } })
    const plain = await app.call("POST", url, { key: owner.key, body: "reset" })
    expect(plain).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } })
    expect((await app.get(tokenUrl(), owner.key)).body.api_token).toBe(before)
  })

  test("may hold keys that nobody reads, whatever is in them", async () => {
    const sent = { junk: "\u0000", "\ud800": 1, timezone: "Europe/Berlin" }
    const { status, body } = await app.patch(tokenUrl(), owner.key, sent)
    expect({ status, timezone: body.timezone }).toEqual({ status: 200, timezone: "Europe/Berlin" })
  })
})
