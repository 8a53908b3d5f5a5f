/** Events put into the columnar store as ingestion leaves them, with every detail chosen by the test. */
import type { EventRow, OverrideRow } from "../../src/columnar/engine.ts"
import { newUuid } from "../../src/lib/ids.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { columnarTime, type Person } from "../../src/persons/person.ts"
import { START, type TestApp } from "./app.ts"

export interface EventDraft {
  readonly uuid?: string
  readonly event?: string
  /** As the API sends it; else the app's present time. */
  readonly timestamp?: string
  readonly distinct_id?: string
  /** Whose it is, in this state. */
  readonly person?: Pick<Person, "uuid" | "snapshot_id">
  readonly properties?: JsonObject
  readonly elements_chain?: string
}

/** Answers the events' ids. */
export async function putEvents(
  app: TestApp,
  projectId: number,
  drafts: readonly EventDraft[],
): Promise<string[]> {
  const received_at = columnarTime(app.clock.now().toISOString())
  const events = drafts.map(
    (draft): EventRow => ({
      project_id: projectId,
      uuid: draft.uuid ?? newUuid(),
      event: draft.event ?? "seen",
      timestamp: draft.timestamp === undefined ? received_at : columnarTime(draft.timestamp),
      distinct_id: draft.distinct_id ?? "ana",
      person_id: draft.person?.uuid ?? newUuid(),
      snapshot_id: draft.person?.snapshot_id ?? null,
      received_at,
      elements_chain: draft.elements_chain ?? "",
      properties: draft.properties ?? {},
    }),
  )
  await app.app.services.columnar.apply({ events })
  return events.map(({ uuid }) => uuid)
}

/** As a merge leaves them. */
export async function putOverrides(app: TestApp, overrides: readonly OverrideRow[]): Promise<void> {
  const { columnar } = app.app.services
  const nothing = { events: [], persons: [], snapshots: [], groups: [], merged: [] }
  const mark = { log_id: newUuid(), position: 1 }
  await columnar.append(await columnar.prepare({ ...nothing, overrides, mark }))
}

/** A project of its own, with words to fill and to read its events. */
export async function addEventProject(app: TestApp) {
  const { project, owner } = await app.addOrganization()
  const url = `/api/projects/${project.id}/events`
  return {
    ...{ projectId: project.id, owner, url },
    put: (drafts: readonly EventDraft[]) => putEvents(app, project.id, drafts),
    get: (path = "") => app.get(`${url}${path}`, owner.key),
  }
}

export type EventProject = Awaited<ReturnType<typeof addEventProject>>

/** The names of the listed events. */
export async function listNames(
  { get }: EventProject,
  query: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { status, body, text } = await get(`?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(text)
  return body.results.map(({ event }: { event: string }) => event)
}

/** Before the start of the tests. */
export function ago(ms: number): string {
  return new Date(Date.parse(START) - ms).toISOString()
}
