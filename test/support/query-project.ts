/** A project of its own, with words to ask it questions. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { TestApp } from "./app.ts"

/** A few minutes before every test begins. */
export const at = (minute: number): string => `2026-03-02T09:${minute}:00Z`

export type QueryProject = Awaited<ReturnType<typeof addQueryProject>>

export async function addQueryProject(testApp: TestApp) {
  const { project, owner } = await testApp.addOrganization()
  const url = `/api/projects/${project.id}/query`
  return {
    project,
    owner,
    url,
    ask: (query: JsonObject, more: JsonObject = {}) =>
      testApp.post(url, owner.key, { query, ...more }),
    sql: async (query: string, more: JsonObject = {}) =>
      testApp.post(url, owner.key, { query: { kind: "HogQLQuery", query, ...more } }),
  }
}
