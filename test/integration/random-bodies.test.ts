/**
 * Random bodies on every write endpoint, as an owner and on objects that exist: never a 5xx, and what was
 * refused changed nothing. Made from the registry, so a new endpoint is in it at once.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import type { Endpoint } from "../../src/api/http/endpoint.ts"
import { endpoints } from "../../src/api/index.ts"
import { useTestApp } from "../support/app.ts"
import { addressWithObjects } from "../support/objects.ts"

const RUNS = 25
const TIMEOUT_MS = 120_000

// Nobody is reached from a test: hosts of plugins are a port that refuses.
const NOWHERE = "http://127.0.0.1:9"
const app = useTestApp({
  settings: {
    HEDGEROW_GITHUB_URL: NOWHERE,
    HEDGEROW_GITHUB_API_URL: NOWHERE,
    HEDGEROW_GITLAB_URL: NOWHERE,
    HEDGEROW_DNS_SERVERS: "127.0.0.1:9",
  },
})
const writes = endpoints.filter(({ method, body }) => method !== "GET" && body !== undefined)

describe.each(writes.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  { timeout: TIMEOUT_MS },
  (_title, endpoint) => {
    test("survives random bodies, and a refused one changes nothing", async () => {
      const organization = await app.addOrganization()
      const url = await addressWithObjects(app, endpoint, organization)
      const { key } = organization.owner
      await fc.assert(
        fc.asyncProperty(bodyFor(endpoint), async (body) => {
          const before = await snapshot()
          const { status, text } = await app.call(endpoint.method, url, { key, body })
          expect(status, text).toBeLessThan(500)
          if (status >= 400) expect(await snapshot()).toEqual(before)
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    })
  },
)

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "../../etc/passwd",
    "'; drop table app_user; --",
    "x".repeat(5_000),
  ),
)

const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.constantFrom(null, true, 0, -1, 2 ** 53, 1e308, [], {}, [[]], [null], { __proto__: 1 }),
)

/** Anything at all, or an object with the endpoint's own keys and mostly wrong values in them. */
function bodyFor(endpoint: Endpoint): fc.Arbitrary<unknown> {
  const schema =
    endpoint.body === undefined
      ? {}
      : z.toJSONSchema(endpoint.body, { io: "input", unrepresentable: "any" })
  const keys = Object.keys((schema as { properties?: object }).properties ?? {})
  const known = fc.record(Object.fromEntries(keys.map((key) => [key, valueFor(key)])), {
    requiredKeys: [],
  })
  return fc.oneof({ weight: 1, arbitrary: oddValue }, { weight: 4, arbitrary: known })
}

/** Sometimes right, so that the checks behind the first one are reached too. */
function valueFor(key: string): fc.Arbitrary<unknown> {
  const right = RIGHT_VALUES[key]
  return right === undefined ? oddValue : fc.oneof(fc.constantFrom(...right), oddValue)
}

const RIGHT_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  name: ["Acme", "Garden"],
  first_name: ["Ana"],
  label: ["report"],
  level: [1, 8, 15],
  scopes: [["organization:read"], ["*"]],
  target_email: ["bo@example.com", "cy@example.com"],
  domain: ["example.com", "shop.example.org"],
  plugin_type: ["source", "local", "custom"],
  url: ["file:nothing-here", "https://github.com/nobody/nothing"],
  timezone: ["Europe/Berlin"],
  is_global: [true, false],
  capabilities: [{ methods: ["onEvent"] }],
}

/** A fingerprint of every table, but for the one column that reads change too. */
async function snapshot(): Promise<readonly { name: string; print: string }[]> {
  const tables = await app.db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`
  const prints = tables.map(
    ({ name }) => `
      select '${name}' as name, md5(coalesce(string_agg(r, '' order by r), '')) as print
      from (select (to_jsonb(t) - 'last_used_at')::text as r from "${name}" t) rows`,
  )
  return [...(await app.db.unsafe<{ name: string; print: string }[]>(prints.join(" union all ")))]
}
