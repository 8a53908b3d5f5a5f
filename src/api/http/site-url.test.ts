import { describe, expect, onTestFinished, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { sendRaw } from "../../../test/support/raw-http.ts"
import { openSmallServer } from "../../../test/support/small-server.ts"
import type { Config } from "../../config.ts"
import { organizationEndpoints } from "../organizations/endpoints.ts"

const app = useTestApp()

interface Settings {
  readonly siteUrl?: Config["siteUrl"]
  readonly trustedProxies?: Config["trustedProxies"]
}

/** The link to the first page, as a caller with these headers sees it. */
async function linkFor(
  headers: readonly string[],
  settings: Settings = {},
): Promise<string | null> {
  const { services } = app.app
  const server = await openSmallServer({
    services: { ...services, config: { ...services.config, ...settings } },
    endpoints: organizationEndpoints,
  })
  onTestFinished(() => server.close())
  const { owner } = await app.addOrganization()
  const lines = [
    "GET /api/organizations/?search=a%20b&offset=5 HTTP/1.1",
    "Connection: close",
    `Authorization: Bearer ${owner.key}`,
    ...headers,
    ...["", ""],
  ]
  const { status, body } = await sendRaw(server.address, lines.join("\r\n"))
  expect(status).toBe(200)
  const { previous } = JSON.parse(body) as { previous: string }
  expect(previous).toMatch(/\/api\/organizations\/\?search=a\+b&limit=100$/)
  return previous.replace(/\/api\/organizations\/.*$/, "")
}

const HOST = "Host: garden.example:8000"
const PROXIED = [
  HOST,
  "X-Forwarded-For: 192.0.2.7",
  "X-Forwarded-Proto: https",
  "X-Forwarded-Host: hedgerow.example.com",
]

describe("links", () => {
  test("lead to the host that was asked", async () => {
    expect(await linkFor([HOST])).toBe("http://garden.example:8000")
    expect(await linkFor(["Host: [::1]:8000"])).toBe("http://[::1]:8000")
  })

  test("lead to where a trusted proxy says it stands", async () => {
    expect(await linkFor(PROXIED)).toBe("https://hedgerow.example.com")
    const below = [...PROXIED, "X-Forwarded-Prefix: /analytics/"]
    expect(await linkFor(below)).toBe("https://hedgerow.example.com/analytics")
  })

  test("do not believe a proxy that is not trusted", async () => {
    const forged = [...PROXIED, "X-Forwarded-Prefix: /analytics"]
    expect(await linkFor(forged, { trustedProxies: "none" })).toBe("http://garden.example:8000")
    expect(await linkFor(forged, { trustedProxies: "10.0.0.0/8" })).toBe(
      "http://garden.example:8000",
    )
    expect(await linkFor(forged, { trustedProxies: "127.0.0.1" })).toBe(
      "https://hedgerow.example.com/analytics",
    )
  })

  test("lead to the setting, whatever anybody says", async () => {
    const settings = { siteUrl: "https://stats.example.org/hedgerow" }
    expect(await linkFor([HOST], settings)).toBe("https://stats.example.org/hedgerow")
    expect(await linkFor(PROXIED, settings)).toBe("https://stats.example.org/hedgerow")
    expect(await linkFor([], settings)).toBe("https://stats.example.org/hedgerow")
  })

  test.each([
    "Host: evil.example/path?x=",
    "Host: ana@evil.example",
    "Host: a:b",
    "Host: [",
    "Host: x:99999",
    "Host: <script>",
    "Host:",
    "Host: 1.2.3.4.5",
  ])("do not repeat %s", async (host) => {
    expect(await linkFor([host])).toBe("http://localhost")
  })

  test.each(["javascript", "ftp", "https://evil.example"])("know no scheme %s", async (scheme) => {
    const headers = [HOST, "X-Forwarded-For: 192.0.2.7", `X-Forwarded-Proto: ${scheme}`]
    expect(await linkFor(headers)).toBe("http://garden.example:8000")
  })

  test.each(["//evil.example", "/../x y", "evil", "/a?b", "/<script>"])(
    "know no prefix %s",
    async (prefix) => {
      expect(await linkFor([...PROXIED, `X-Forwarded-Prefix: ${prefix}`])).toBe(
        "https://hedgerow.example.com",
      )
    },
  )
})
