/** Texts of the query language, asked of a project in a real engine. */
import { checkQuery, compileQuery, type LanguageContext } from "../../src/query/language/compile.ts"
import type { Problem } from "../../src/query/language/problems.ts"
import {
  type InsightData,
  type InsightStore,
  type LoadedProject,
  openInsightStore,
} from "./insight-store.ts"

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

/** Three events of two people, one of whom was somebody else before, of one company and in one session. */
const PEOPLE: InsightData = {
  persons: [
    { name: "ana", properties: { email: "ana@example.com", age: 31 } },
    { name: "bo", properties: { email: "bo@example.com" } },
    { name: "old bo" },
  ],
  events: [
    {
      person: "ana",
      event: "sign up",
      at: "2020-01-10T10:00:00Z",
      properties: {
        key: "val1",
        price: 5,
        flag: true,
        when: "2020-01-03",
        nested: { a: { b: "deep", n: null }, list: ["x", { y: 2 }] },
        $session_id: "s1",
        $window_id: "w1",
        $group_0: "acme",
        $current_url: "http://a.example/",
        utm_source: "mail",
      },
    },
    {
      person: "ana",
      event: "$pageview",
      at: "2020-01-10T11:00:00Z",
      properties: {
        key: "val2",
        price: 12.5,
        flag: false,
        $session_id: "s1",
        $current_url: "http://a.example/b",
      },
    },
    {
      person: "old bo",
      event: "sign out",
      at: "2020-01-11T23:30:00Z",
      properties: { key: "val2", empty_string: "", null: null, str_zero: "0", num_zero: 0 },
    },
  ],
  groups: [{ index: 0, key: "acme", properties: { industry: "tools" } }],
  merged: [{ from: "old bo", into: "bo" }],
}

export interface LanguageStore extends AsyncDisposable {
  readonly store: InsightStore
  readonly project: LoadedProject
  rowsOf(query: string, settings?: Settings): ReturnType<typeof ask>
}

export async function openPeople(): Promise<LanguageStore> {
  const store = await openInsightStore()
  const project = await store.load(PEOPLE)
  return {
    store,
    project,
    rowsOf: (query, settings) => ask(store, query, languageContext(project.project_id, settings)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
