/** Writes what is derived from the code: `npm run gen`; with --check it only says what is stale. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { openApiDocument } from "../src/api/http/openapi.ts"
import { endpoints } from "../src/api/index.ts"
import { settings } from "../src/config.ts"
import { packageRoot } from "../src/lib/package-root.ts"
import { version } from "../src/version.ts"
import { languagePage } from "./language-page.ts"

const generated: Readonly<Record<string, () => string>> = {
  "docs/settings.md": settingsPage,
  "docs/api/openapi.json": () =>
    `${JSON.stringify(openApiDocument(endpoints, version), null, 2)}\n`,
  "docs/api/endpoints.md": endpointsPage,
  "docs/language.md": languagePage,
}

function settingsPage(): string {
  const rows = Object.entries(settings).map(
    ([name, { shownDefault, meaning }]) => `| \`${name}\` | ${shownDefault} | ${meaning} |`,
  )
  return [
    "# Settings",
    "",
    "Made from `src/config.ts` by `npm run gen`. All are environment variables; an empty one counts as unset.",
    "",
    "| Setting | Default | Meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n")
}

function endpointsPage(): string {
  const rows = endpoints.map(({ method, path, scope, summary }) => {
    const shown = scope === null ? "–" : typeof scope === "string" ? scope : scope.join(", ")
    return `| ${method} | \`${path}\` | ${shown} | ${summary} |`
  })
  return [
    "# Endpoints",
    "",
    "Made from the endpoint definitions by `npm run gen`; the whole reference is served at `/api/docs`.",
    "",
    "| Method | Path | Scope | What it does |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n")
}

const isCheck = process.argv.includes("--check")
let staleCount = 0
for (const [name, make] of Object.entries(generated)) {
  const file = path.join(packageRoot, name)
  const text = make()
  if (readIfThere(file) === text) continue
  staleCount += 1
  console.log(`${isCheck ? "stale" : "wrote"} ${name}`)
  if (isCheck) continue
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
if (isCheck && staleCount > 0) {
  console.error("run `npm run gen` and commit what it wrote")
  process.exitCode = 1
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
