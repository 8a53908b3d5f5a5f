/**
 * The style that a machine can check. Each rule says what to do instead; the layer table is the one that
 * ARCHITECTURE.md shows.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { endpoints } from "../src/api/index.ts"
import { commands } from "../src/cli/index.ts"
import { tasks } from "../src/jobs/tasks/index.ts"
import { packageRoot } from "../src/lib/package-root.ts"

/** Which folders of `src` a folder may import, besides itself. The files of `src` itself may import all. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  relational: ["lib"],
  mail: ["lib"],
  domains: ["lib"],
  plugins: ["lib"],
  log: ["lib"],
  elements: ["lib"],
  demo: ["lib"],
  query: ["lib", "elements"],
  insights: ["lib", "query"],
  columnar: ["lib", "relational", "query"],
  "columnar/duckdb": ["lib", "query", "columnar"],
  "columnar/clickhouse": ["lib", "query", "columnar"],
  capture: ["lib", "relational", "log"],
  persons: ["lib", "relational", "columnar", "query"],
  groups: ["lib", "relational", "columnar"],
  cohorts: ["lib", "relational", "columnar", "persons", "query", "analysis"],
  ingest: [
    "lib",
    "relational",
    "log",
    "capture",
    "columnar",
    "persons",
    "groups",
    "elements",
    "api/*/store",
  ],
  analysis: ["lib", "relational", "query", "insights", "columnar", "persons"],
  deletion: ["lib", "relational", "columnar"],
  backup: ["lib", "relational", "columnar", "ingest", "version"],
  jobs: ["lib", "relational"],
  "jobs/tasks": [
    "lib",
    "relational",
    "jobs",
    "mail",
    "log",
    "columnar",
    "ingest",
    "deletion",
    "backup",
    "persons",
    "cohorts",
    "api/*/store",
  ],
  "api/http": ["lib", "relational", "jobs", "domains", "plugins", "columnar", "analysis", "config"],
  "api/*": [
    "lib",
    "relational",
    "jobs",
    "domains",
    "plugins",
    "mail",
    "elements",
    "query",
    "insights",
    "analysis",
    "columnar",
    "persons",
    "groups",
    "cohorts",
    "api/http",
    "api/*/store",
    "api/*/schema",
  ],
  cli: [
    "lib",
    "relational",
    "log",
    "columnar",
    "deletion",
    "demo",
    "backup",
    "persons",
    "jobs",
    "api/http",
    "api/*/store",
    "api/*/schema",
    "app",
    "stores",
    "running-instance",
    "event-path",
    "config",
    "version",
    "first-start",
  ],
}

/** Layers inside a folder. */
const INNER_LAYERS = ["jobs/tasks", "columnar/duckdb", "columnar/clickhouse"]

const SOURCE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70
const BANNED_NAMES = /(^|[/-])(utils?|helpers?|common|misc|base|manager|service|impl)(\.|-|\/|$)/

const files = listFiles("src", ".ts")
const sources = files.filter((file) => !file.endsWith(".test.ts"))

describe("source files", () => {
  test.each(sources)("%s imports only what its layer may", (file) => {
    const layer = layerOf(file)
    if (layer === undefined) return
    const wrong = importsOf(file).filter((target) => !isAllowed(layer, file, target))
    expect(wrong, `${layer} may import ${LAYERS[layer]?.join(", ") || "nothing"}`).toEqual([])
  })

  test("are short enough to be read at once", () => {
    const long = files.filter((file) => linesOf(file).length > SOURCE_LINES_MAX)
    expect(long, `split files of more than ${SOURCE_LINES_MAX} lines`).toEqual([])
  })

  test("hold functions that fit on a screen", () => {
    expect(sources.flatMap(longFunctions)).toEqual([])
  })

  test("have names that say what they define", () => {
    expect(files.filter((file) => BANNED_NAMES.test(file.slice("src/".length)))).toEqual([])
    expect(
      files.filter((file) => path.basename(file) !== path.basename(file).toLowerCase()),
    ).toEqual([])
  })

  test.each([
    ["process.env", /process\.env\b/, ["src/config.ts"]],
    ["the time", /\bDate\.now\b|\bnew Date\(\)/, ["src/lib/clock.ts", "src/lib/ids.ts"]],
    ["randomness", /\bMath\.random\b|\brandomBytes\b|\brandomUUID\b/, ["src/lib/ids.ts"]],
    ["exit codes", /process\.exit(Code)?\b/, ["src/main.ts"]],
  ])("read %s in one place", (_what, pattern, allowed) => {
    const found = sources.filter((file) => !allowed.includes(file) && pattern.test(codeOf(file)))
    expect(found).toEqual([])
  })
})

describe("registries", () => {
  test("every resource folder with endpoints is in src/api/index.ts", () => {
    const index = readFileSync(path.join(packageRoot, "src/api/index.ts"), "utf8")
    const missing = sources
      .filter((file) => /^src\/api\/[^/]+\/endpoints\.ts$/.test(file))
      .filter((file) => !index.includes(file.replace("src/api/", "./")))
    expect(missing).toEqual([])
  })

  test("every endpoint has a name and a route of its own", () => {
    expect(repeated(endpoints.map(({ name }) => name))).toEqual([])
    expect(repeated(endpoints.map(({ method, path }) => `${method} ${path}`))).toEqual([])
  })

  test("every task file is in src/jobs/tasks/index.ts, and every command in src/cli/index.ts", () => {
    const others = ["index.ts", "tools.ts"]
    const taskFiles = sources.filter((file) => file.startsWith("src/jobs/tasks/"))
    expect(tasks).toHaveLength(
      taskFiles.filter((file) => !others.includes(path.basename(file))).length,
    )
    expect(repeated(commands.map(({ name }) => name))).toEqual([])
  })

  test("migrations are numbered without a gap", () => {
    const names = readdirSync(path.join(packageRoot, "src/relational/migrations")).sort()
    const numbers = names.map((name) => Number(name.slice(0, 4)))
    expect(numbers).toEqual(names.map((_, index) => index + 1))
  })
})

describe("documents", () => {
  const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...listFiles("docs", ".md")]

  test.each(documents)("%s names only files that exist", (document) => {
    const text = readFileSync(path.join(packageRoot, document), "utf8")
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, target = ""]) => path.join(path.dirname(document), target),
    )
    const quoted = [...text.matchAll(/`((?:src|test|tools|bench|docs|bin)\/[\w./-]+)`/g)].map(
      ([, target = ""]) => target,
    )
    const missing = [...links, ...quoted].filter(
      (target) => !existsSync(path.join(packageRoot, target)),
    )
    expect(missing).toEqual([])
  })

  test("ARCHITECTURE.md shows the layer table of this test", () => {
    const text = readFileSync(path.join(packageRoot, "ARCHITECTURE.md"), "utf8")
    const rows = Object.entries(LAYERS).map(
      ([folder, allowed]) =>
        `| \`${folder}\` | ${allowed.map((name) => `\`${name}\``).join(", ") || "–"} |`,
    )
    for (const row of rows) expect(text).toContain(row)
  })
})

function listFiles(folder: string, ending: string): string[] {
  if (!existsSync(path.join(packageRoot, folder))) return []
  return readdirSync(path.join(packageRoot, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => name.endsWith(ending))
    .sort()
}

function linesOf(file: string): string[] {
  return readFileSync(path.join(packageRoot, file), "utf8").split("\n")
}

/** Without comments: they may speak of anything. */
function codeOf(file: string): string {
  return linesOf(file)
    .join("\n")
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
}

/** The most specific row of the table; undefined for the files of `src` itself and for registries. */
function layerOf(file: string): string | undefined {
  const [, first = "", second = ""] = file.split("/")
  if (file === "src/api/index.ts" || second === "") return undefined
  if (first === "api") return second === "http" ? "api/http" : "api/*"
  return INNER_LAYERS.find((layer) => file.startsWith(`src/${layer}/`)) ?? first
}

/** Relative imports, as paths from `src` without their ending. */
function importsOf(file: string): string[] {
  return [...codeOf(file).matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, target = ""]) =>
    path.posix
      .join(path.posix.dirname(file), target)
      .replace(/^src\//, "")
      .replace(/\.ts$/, ""),
  )
}

function isAllowed(layer: string, file: string, target: string): boolean {
  const own = path.posix.dirname(file).replace(/^src\//, "")
  const isInside = INNER_LAYERS.includes(layer) && target.startsWith(`${layer}/`)
  if (target.startsWith(`${own}/`) || isInside) return true
  // Only the composition root knows which engine runs.
  if (/^columnar\/(duckdb|clickhouse)\//.test(target)) return false
  if (target.startsWith(`${layer}/`)) return true
  return (LAYERS[layer] ?? []).some((allowed) =>
    allowed.includes("*")
      ? new RegExp(`^${allowed.replace("*", "[^/]+")}$`).test(target)
      : target === allowed || target.startsWith(`${allowed}/`),
  )
}

/** By indentation, which the formatter keeps true: from a function's head to its closing brace. */
function longFunctions(file: string): string[] {
  const found: string[] = []
  const heads: { indent: number; line: number; text: string }[] = []
  linesOf(file).forEach((text, line) => {
    const indent = text.length - text.trimStart().length
    const head = heads.at(-1)
    if (head !== undefined && indent === head.indent && /^\s*\}/.test(text)) {
      heads.pop()
      if (line - head.line > FUNCTION_LINES_MAX)
        found.push(`${file}:${head.line + 1} ${head.text.trim()}`)
    }
    if (/^\s*(export )?(default )?(async )?function\b.*\{$/.test(text))
      heads.push({ indent, line, text })
  })
  return found
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}
