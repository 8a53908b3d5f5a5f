import path from "node:path"
import { describe, expect, test } from "vitest"
import { type Environment, readConfig, settings } from "./config.ts"
import { StartError } from "./lib/errors.ts"

function problemWith(env: Environment): string {
  try {
    readConfig(env, false)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  throw new Error("the settings were taken")
}

const WRONG: readonly (readonly [keyof typeof settings, string])[] = [
  ["HOST", " "],
  ["PORT", "http"],
  ["PORT", "-1"],
  ["PORT", "65536"],
  ["PORT", "80.5"],
  ["SITE_URL", "hedgerow.example.com"],
  ["SITE_URL", "ftp://hedgerow.example.com"],
  ["SITE_URL", "https:hedgerow.example.com"],
  ["SITE_URL", "https://hedgerow.example.com/?a=1"],
  ["SITE_URL", "https://hedgerow.example.com/#top"],
  ["SITE_URL", "https://ana:hush@hedgerow.example.com"],
  ["HEDGEROW_TRUSTED_PROXIES", "banana"],
  ["HEDGEROW_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["HEDGEROW_TRUSTED_PROXIES", "0.0.0.0/0"],
  ["HEDGEROW_TRUSTED_PROXIES", "fe80::1%eth0"],
  ["HEDGEROW_TRUSTED_PROXIES", "none, loopback"],
  ["HEDGEROW_TRUSTED_PROXIES", "10.0.0.1,"],
  ["HEDGEROW_DATA_DIR", " "],
  ["DATABASE_URL", "mysql://ana:hush@db/shop"],
  ["DATABASE_URL", "hush"],
  ["HEDGEROW_ROLES", "api,gardener"],
  ["HEDGEROW_ROLES", ","],
  ["HEDGEROW_LOG_BUDGET", "4"],
  ["HEDGEROW_QUERY_MEMORY", "much"],
  ["HEDGEROW_QUERY_SECONDS", "0"],
  ["HEDGEROW_DELETION_SCHEDULE", "on sundays"],
  ["HEDGEROW_SECRET_KEY", "hush"],
  ["HEDGEROW_SETUP_EMAIL", "ana"],
  ["HEDGEROW_SETUP_PASSWORD", "hush"],
  ["HEDGEROW_SETUP_PASSWORD", "hush".repeat(40)],
  ["HEDGEROW_SETUP_ORGANIZATION", " "],
  ["HEDGEROW_SETUP_ORGANIZATION", "x".repeat(65)],
  ["HEDGEROW_SETUP_API_KEY", "hush"],
  ["HEDGEROW_SETUP_API_KEY", "phx_hush"],
  ["HEDGEROW_SETUP_PROJECT_TOKEN", "phx_hush_hush_hush_hush_hush"],
  ["HEDGEROW_INVITE_DAYS", "0"],
  ["HEDGEROW_INVITE_DAYS", "three"],
  ["HEDGEROW_INVITE_DAYS", "10000"],
  ["HEDGEROW_DNS_SERVERS", "999.1.1.1"],
  ["HEDGEROW_DNS_SERVERS", "1.1.1.1:0"],
  ["HEDGEROW_DNS_SERVERS", "1.1.1.1, dns.example.com"],
  ["SMTP_URL", "http://ana:hush@mail.example.com"],
  ["SMTP_URL", "smtp://ana:hush@mail.example.com?tsl=required"],
  ["EMAIL_FROM", "nobody"],
  ["HEDGEROW_RATE_LIMITS", "yes"],
  ["HEDGEROW_PLUGIN_CATALOGUE", " "],
  ["HEDGEROW_PLUGIN_DIR", " "],
  ["HEDGEROW_GITHUB_URL", "github.com"],
  ["HEDGEROW_GITHUB_API_URL", "api.github.com"],
  ["HEDGEROW_GITLAB_URL", "gitlab.com"],
  ["CLICKHOUSE_URL", "clickhouse:8123/hush"],
  ["CLICKHOUSE_DATABASE", "two words"],
  ["HEDGEROW_LOG", "loud"],
  ["HEDGEROW_LOG_LEVEL", "verbose"],
]

describe("a wrong setting", () => {
  test.each(WRONG)("%s = %j stops the start with one line that names it", (name, value) => {
    const message = problemWith({ [name]: value })
    expect(message).toContain(`setting ${name} `)
    expect(message).not.toContain("\n")
    expect(message).not.toContain("hush")
  })

  test("is tested above for every setting there is", () => {
    const tested = new Set(WRONG.map(([name]) => name))
    expect(Object.keys(settings).filter((name) => !tested.has(name as never))).toEqual([])
  })

  test("of several lines is still told in one", () => {
    expect(problemWith({ HEDGEROW_LOG: "a\nb" })).not.toContain("\n")
  })
})

describe("settings", () => {
  test("have defaults with which everything runs on this machine alone", () => {
    expect(readConfig({}, false)).toEqual({
      host: "127.0.0.1",
      port: 8000,
      siteUrl: undefined,
      trustedProxies: "loopback",
      dataDir: path.resolve("hedgerow-data"),
      databaseUrl: undefined,
      roles: ["api", "capture", "jobs"],
      secretKey: undefined,
      setup: {
        email: "admin@hedgerow.local",
        password: undefined,
        organization: "My organization",
        apiKey: undefined,
        projectToken: undefined,
      },
      logBudgetBytes: 4_294_967_296,
      query: { memoryBytes: expect.any(Number), timeoutMs: 60_000 },
      deletionSchedule: "0 5 * * 0",
      inviteDays: 3,
      dnsServers: undefined,
      smtpUrl: undefined,
      emailFrom: "Hedgerow <hedgerow@localhost>",
      rateLimits: false,
      plugins: {
        catalogue: undefined,
        folder: path.resolve("hedgerow-data/plugins"),
        githubUrl: "https://github.com",
        githubApiUrl: "https://api.github.com",
        gitlabUrl: "https://gitlab.com",
      },
      log: "json",
      logLevel: "info",
    })
  })

  test("that are empty count as unset", () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, ""]))
    expect(readConfig(empty, false)).toEqual(readConfig({}, false))
  })

  test("cannot be changed once they are read", () => {
    const config = readConfig({}, false)
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.setup)).toBe(true)
    expect(Object.isFrozen(config.plugins)).toBe(true)
  })

  test("that name an address lose its last slash and keep its path", () => {
    const { siteUrl } = readConfig({ SITE_URL: "https://Example.com/hedgerow/" }, false)
    expect(siteUrl).toBe("https://example.com/hedgerow")
  })

  test("that are lists are split at commas", () => {
    const config = readConfig(
      { HEDGEROW_ROLES: " jobs ,", HEDGEROW_DNS_SERVERS: "1.1.1.1, [::1]:5353" },
      false,
    )
    expect(config.roles).toEqual(["jobs"])
    expect(config.dnsServers).toEqual(["1.1.1.1", "[::1]:5353"])
  })

  test.each(["none", "10.0.0.0/8, ::1, loopback", "fd00::/8", "192.0.2.7"])(
    "may trust the proxies %s",
    (value) => {
      const config = readConfig({ HEDGEROW_TRUSTED_PROXIES: value }, false)
      expect(config.trustedProxies).toBe(value)
    },
  )

  test("make readable logs on a terminal, unless told otherwise", () => {
    expect(readConfig({}, true).log).toBe("pretty")
    expect(readConfig({ HEDGEROW_LOG: "json" }, true).log).toBe("json")
  })
})
