/**
 * Every setting, in one list: the only reader of the environment. `readConfig` returns a frozen, checked
 * object or stops the start with one line that names the wrong value. docs/settings.md is made from it.
 */
import { totalmem } from "node:os"
import path from "node:path"
import { z } from "zod"
import { parseDnsServer } from "./domains/dns-server.ts"
import { StartError } from "./lib/errors.ts"
import { parseSender } from "./mail/address.ts"
import { parseSmtpUrl } from "./mail/smtp-url.ts"
import {
  bytes,
  cron,
  days,
  httpUrl,
  list,
  onOff,
  port,
  proxies,
  readBy,
  seconds,
  text,
  urlOf,
} from "./setting-kinds.ts"

const GIB = 1024 ** 3
const ROLES = ["api", "capture", "jobs"] as const

interface Setting<T> {
  readonly schema: z.ZodType<T>
  readonly shownDefault: string
  readonly meaning: string
}

function setting<T>(schema: z.ZodType<T>, shownDefault: string, meaning: string): Setting<T> {
  return { schema, shownDefault, meaning }
}

export const settings = {
  HOST: setting(text.default("127.0.0.1"), "127.0.0.1", "Address to listen on."),
  PORT: setting(port.default(8000), "8000", "Port to listen on; 0 picks a free one."),
  SITE_URL: setting(
    httpUrl.optional(),
    "from the request",
    "Public address, used in absolute links (`next`, invites). Set it behind a proxy.",
  ),
  HEDGEROW_TRUSTED_PROXIES: setting(
    proxies.default("loopback"),
    "loopback",
    "Proxies whose X-Forwarded-* headers are believed: addresses, networks, `loopback`, `uniquelocal` or `none`.",
  ),
  HEDGEROW_DATA_DIR: setting(
    text.default("hedgerow-data"),
    "./hedgerow-data",
    "Folder of the bundled PostgreSQL, the DuckDB file, the log and the secret key.",
  ),
  DATABASE_URL: setting(
    urlOf("postgres", "postgresql").optional(),
    "bundled",
    "External PostgreSQL (14 or newer) instead of the bundled one.",
  ),
  CLICKHOUSE_URL: setting(
    urlOf("http", "https").optional(),
    "DuckDB in the data folder",
    "ClickHouse (25 or newer) for events instead, such as `http://user:password@clickhouse:8123`.",
  ),
  CLICKHOUSE_DATABASE: setting(
    z
      .string()
      .regex(/^[A-Za-z_]\w{0,62}$/, "must be a name of letters, digits and underscores")
      .default("hedgerow"),
    "hedgerow",
    "Database in ClickHouse; it is made if it is not there.",
  ),
  HEDGEROW_ROLES: setting(
    list(z.enum(ROLES, `must be any of ${ROLES.join(", ")}`)).default([...ROLES]),
    "all",
    `What this node does: any of ${ROLES.map((role) => `\`${role}\``).join(", ")}.`,
  ),
  HEDGEROW_SECRET_KEY: setting(
    z.string().min(32, "must have at least 32 characters").optional(),
    "generated into the data folder, mode 600",
    "Signs sessions. Every node of one instance needs the same.",
  ),
  HEDGEROW_SETUP_EMAIL: setting(
    z.email("must be an e-mail address").default("admin@hedgerow.local"),
    "admin@hedgerow.local",
    "First start: e-mail of the first user.",
  ),
  HEDGEROW_SETUP_PASSWORD: setting(
    z
      .string()
      .min(8, "must have at least 8 characters")
      .max(128, "must have at most 128 characters")
      .optional(),
    "generated",
    "First start: password of the first user.",
  ),
  HEDGEROW_SETUP_ORGANIZATION: setting(
    text.max(64, "must have at most 64 characters").default("My organization"),
    "My organization",
    "First start: name of the first organization.",
  ),
  HEDGEROW_SETUP_API_KEY: setting(
    z
      .string()
      .regex(/^phx_[0-9A-Za-z_-]{20,}$/, "must be phx_ and at least 20 letters or digits")
      .optional(),
    "generated",
    "First start: personal API key of the first user.",
  ),
  HEDGEROW_SETUP_PROJECT_TOKEN: setting(
    z
      .string()
      .regex(/^phc_[0-9A-Za-z_-]{20,}$/, "must be phc_ and at least 20 letters or digits")
      .optional(),
    "generated",
    "First start: token of the first project.",
  ),
  HEDGEROW_LOG_BUDGET: setting(
    bytes.default(4 * GIB),
    "4 GiB",
    "Disk for events that are acknowledged but not stored yet; beyond it capture answers 503.",
  ),
  HEDGEROW_QUERY_MEMORY: setting(
    bytes.optional(),
    "an eighth of the machine, 256 MiB to 1 GiB",
    "Memory for analytic queries and loading, such as `512 MiB`; what needs more goes to disk.",
  ),
  HEDGEROW_QUERY_SECONDS: setting(
    seconds.default(60),
    "60",
    "Longest time one analytic query may take.",
  ),
  HEDGEROW_DELETION_SCHEDULE: setting(
    cron.default("0 5 * * 0"),
    "0 5 * * 0",
    "When queued event data is deleted: cron, UTC.",
  ),
  HEDGEROW_INVITE_DAYS: setting(days.default(3), "3", "Days until an invite expires."),
  HEDGEROW_DNS_SERVERS: setting(
    list(readBy(parseDnsServer)).optional(),
    "system",
    "Resolvers for domain verification, such as `1.1.1.1, 127.0.0.1:5353`.",
  ),
  SMTP_URL: setting(
    readBy(parseSmtpUrl).optional(),
    "none: no mail is attempted",
    "Mail server for invites, such as `smtp://user:password@mail.example.com:587`.",
  ),
  EMAIL_FROM: setting(
    readBy(parseSender).default("Hedgerow <hedgerow@localhost>"),
    "Hedgerow <hedgerow@localhost>",
    "Sender of mails.",
  ),
  HEDGEROW_RATE_LIMITS: setting(
    onOff,
    "off",
    "`on` limits requests per API key (480 a minute, 4,800 an hour).",
  ),
  HEDGEROW_PLUGIN_CATALOGUE: setting(
    text.optional(),
    "the shipped one",
    "JSON file with further entries for the plugin catalogue.",
  ),
  HEDGEROW_PLUGIN_DIR: setting(
    text.optional(),
    "`plugins` in the data folder",
    "Folder from which `file:` plugins may be installed.",
  ),
  HEDGEROW_GITHUB_URL: setting(
    httpUrl.default("https://github.com"),
    "https://github.com",
    "Where GitHub plugins come from; for GitHub Enterprise.",
  ),
  HEDGEROW_GITHUB_API_URL: setting(
    httpUrl.default("https://api.github.com"),
    "https://api.github.com",
    "API of that GitHub.",
  ),
  HEDGEROW_GITLAB_URL: setting(
    httpUrl.default("https://gitlab.com"),
    "https://gitlab.com",
    "Where GitLab plugins come from.",
  ),
  HEDGEROW_LOG: setting(
    z.enum(["pretty", "json"], "must be pretty or json").optional(),
    "pretty on a terminal, else JSON",
    "Form of the logs.",
  ),
  HEDGEROW_LOG_LEVEL: setting(
    z
      .enum(
        ["debug", "info", "warn", "error", "silent"],
        "must be debug, info, warn, error or silent",
      )
      .default("info"),
    "info",
    "Least severe log line that is written.",
  ),
} as const

type Settings = { [K in keyof typeof settings]: z.output<(typeof settings)[K]["schema"]> }
export type Environment = Readonly<Record<string, string | undefined>>

export type Config = ReturnType<typeof readConfig>

export function readConfig(
  env: Environment = process.env,
  isTerminal = process.stdout.isTTY === true,
) {
  const value = parseSettings(env)
  const dataDir = path.resolve(value.HEDGEROW_DATA_DIR)
  return Object.freeze({
    host: value.HOST,
    port: value.PORT,
    siteUrl: value.SITE_URL,
    trustedProxies: value.HEDGEROW_TRUSTED_PROXIES,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    clickHouse:
      value.CLICKHOUSE_URL === undefined
        ? undefined
        : Object.freeze({ url: value.CLICKHOUSE_URL, database: value.CLICKHOUSE_DATABASE }),
    roles: value.HEDGEROW_ROLES,
    secretKey: value.HEDGEROW_SECRET_KEY,
    setup: Object.freeze({
      email: value.HEDGEROW_SETUP_EMAIL,
      password: value.HEDGEROW_SETUP_PASSWORD,
      organization: value.HEDGEROW_SETUP_ORGANIZATION,
      apiKey: value.HEDGEROW_SETUP_API_KEY,
      projectToken: value.HEDGEROW_SETUP_PROJECT_TOKEN,
    }),
    logBudgetBytes: value.HEDGEROW_LOG_BUDGET,
    query: Object.freeze({
      memoryBytes: value.HEDGEROW_QUERY_MEMORY ?? memoryShare(totalmem()),
      timeoutMs: value.HEDGEROW_QUERY_SECONDS * 1_000,
    }),
    deletionSchedule: value.HEDGEROW_DELETION_SCHEDULE,
    inviteDays: value.HEDGEROW_INVITE_DAYS,
    dnsServers: value.HEDGEROW_DNS_SERVERS,
    smtpUrl: value.SMTP_URL,
    emailFrom: value.EMAIL_FROM,
    rateLimits: value.HEDGEROW_RATE_LIMITS,
    plugins: Object.freeze({
      catalogue: value.HEDGEROW_PLUGIN_CATALOGUE,
      folder: path.resolve(value.HEDGEROW_PLUGIN_DIR ?? path.join(dataDir, "plugins")),
      githubUrl: value.HEDGEROW_GITHUB_URL,
      githubApiUrl: value.HEDGEROW_GITHUB_API_URL,
      gitlabUrl: value.HEDGEROW_GITLAB_URL,
    }),
    log: value.HEDGEROW_LOG ?? (isTerminal ? "pretty" : "json"),
    logLevel: value.HEDGEROW_LOG_LEVEL,
  })
}

function memoryShare(machineBytes: number): number {
  return Math.min(GIB, Math.max(GIB / 4, machineBytes / 8))
}

function parseSettings(env: Environment): Settings {
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(settings)) {
    // An empty variable counts as unset: compose files and CI set many of them that way.
    const parsed = schema.safeParse(env[name] === "" ? undefined : env[name])
    if (!parsed.success) {
      const reason = parsed.error.issues[0]?.message ?? "is not valid"
      throw new StartError(`setting ${name} ${reason}; it is ${shown(name, env[name])}`)
    }
    values[name] = parsed.data
  }
  return values as Settings
}

/** Secrets are never printed, not even wrong ones, nor the credentials inside an address. */
function shown(name: string, value = ""): string {
  if (/PASSWORD|SECRET|API_KEY|TOKEN|DATABASE_URL|CLICKHOUSE_URL|SMTP_URL/.test(name))
    return "hidden"
  return JSON.stringify(value.replaceAll(/\/\/[^/]*@/g, "//…@").slice(0, SHOWN_CHARACTERS))
}

const SHOWN_CHARACTERS = 200
