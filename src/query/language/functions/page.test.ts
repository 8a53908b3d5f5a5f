import { readFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { packageRoot } from "../../../lib/package-root.ts"
import { checkQuery } from "../compile.ts"

const page = readFileSync(path.join(packageRoot, "docs/language.md"), "utf8")
const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = ""]) => query)
const now = new Date("2026-11-16T12:00:00Z")

test("the page shows queries", () => {
  expect(queries.length).toBeGreaterThan(3)
})

test.each(queries)("the page's query compiles: %s", (query) => {
  const context = { project_id: 1, timezone: "UTC", weekStartsOn: 0, now } as const
  expect(checkQuery(query, context).problems).toEqual([])
})
