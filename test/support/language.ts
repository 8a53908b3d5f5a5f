/** Texts of the query language, asked of a project in a real engine. */
import { checkQuery, compileQuery, type LanguageContext } from "../../src/query/language/compile.ts"
import type { Problem } from "../../src/query/language/problems.ts"
import type { InsightStore } from "./insight-store.ts"

export type Settings = Partial<Omit<LanguageContext, "project_id">>

export const NOW = new Date("2020-01-15T12:00:00Z")

export function languageContext(project_id: number, settings: Settings = {}): LanguageContext {
  return { project_id, timezone: "UTC", weekStartsOn: 1, now: NOW, ...settings }
}

/** Rows as arrays, in the order of the columns. */
export async function ask(
  { engine }: InsightStore,
  text: string,
  context: LanguageContext,
): Promise<readonly (readonly unknown[])[]> {
  const { query, columns } = compileQuery(text, context)
  const rows = await engine.rows(query, { timeoutMs: 60_000 })
  return rows.map((row) => columns.map(({ key }) => row[key]))
}

/** What is wrong with a text; nothing for a right one. */
export function problemsOf(text: string, settings: Settings = {}): readonly Problem[] {
  return checkQuery(text, languageContext(1, settings)).problems
}
