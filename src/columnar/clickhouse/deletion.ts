/** Deferred deletion: events of persons, or everything of a project. Rows are hidden at once, gone after `compact`. */
import type { EventDeletion } from "../engine.ts"
import { deleteRows } from "./apply.ts"
import type { Connection } from "./connection.ts"
import {
  groupByProject,
  slicesOf,
  sqlInteger,
  sqlTime,
  sqlUuids,
  UUIDS_PER_STATEMENT,
} from "./sql-text.ts"

/** Answers how many events went. */
export async function deleteEvents(
  connection: Connection,
  deletions: readonly EventDeletion[],
): Promise<number> {
  let deletedCount = 0
  for (const [project, ofProject] of groupByProject(deletions)) {
    for (const [until, persons] of personsByTime(ofProject)) {
      deletedCount += await deleteOfPersons(connection, { project, until, persons })
    }
    for (const { person_id, until } of ofProject) {
      if (person_id === undefined) deletedCount += await deleteProject(connection, project, until)
    }
  }
  return deletedCount
}

function personsByTime(deletions: readonly EventDeletion[]): ReadonlyMap<string, string[]> {
  const byTime = new Map<string, string[]>()
  for (const { person_id, until } of deletions) {
    if (person_id === undefined) continue
    const persons = byTime.get(until)
    if (persons === undefined) byTime.set(until, [person_id])
    else persons.push(person_id)
  }
  return byTime
}

interface PersonDeletion {
  readonly project: number
  readonly until: string
  readonly persons: readonly string[]
}

/** Stored with the person, even if that is merged into another by now, or merged into it; also if dated ahead. */
async function deleteOfPersons(
  connection: Connection,
  { project, until, persons }: PersonDeletion,
) {
  let deletedCount = 0
  for (const slice of slicesOf(persons, UUIDS_PER_STATEMENT)) {
    const merged = await connection.read(
      `SELECT old_person_id FROM overrides FINAL
        WHERE project_id = ${sqlInteger(project)} AND person_id IN (${sqlUuids(slice)})`,
    )
    const stored = [...slice, ...merged.map(([old]) => old ?? "")]
    for (const part of slicesOf(stored, UUIDS_PER_STATEMENT)) {
      const isTheirs = `person_id IN (${sqlUuids(part)})`
      const condition = `project_id = ${sqlInteger(project)} AND ${isTheirs} AND ${isBy(until)}`
      deletedCount += await deleteRows(connection, "events", condition)
    }
  }
  return deletedCount
}

const COPIES = ["persons", "person_snapshots", "groups", "overrides", "cohort_members"]

async function deleteProject(connection: Connection, project: number, until: string) {
  const isOfProject = `project_id = ${sqlInteger(project)}`
  for (const table of COPIES) await deleteRows(connection, table, isOfProject)
  return deleteRows(connection, "events", `${isOfProject} AND ${isBy(until)}`)
}

/** Also what claims to come from the future: nothing may stay. */
function isBy(until: string): string {
  return `(timestamp <= ${sqlTime(until)} OR received_at <= ${sqlTime(until)})`
}

/** Rewrites the parts that hold what is deleted or replaced; the server removes the old ones within minutes. */
export async function compactTables(connection: Connection): Promise<void> {
  await connection.run("ALTER TABLE events APPLY DELETED MASK SETTINGS mutations_sync = 2")
  for (const table of COPIES) {
    await connection.run(`OPTIMIZE TABLE ${table} FINAL SETTINGS alter_sync = 2`)
  }
}
