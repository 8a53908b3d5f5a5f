/**
 * Squashing writes overrides into the rows they concern: first the rows, by mutations that are waited for, then the
 * overrides end. In between both the old and the new person of an event resolve to the same one.
 */
import type { OverrideRow, SquashOptions } from "../engine.ts"
import type { Connection } from "./connection.ts"
import { groupByProject, slicesOf, sqlInteger, sqlUuids, UUIDS_PER_STATEMENT } from "./sql-text.ts"

/** Runs what no append of this node may come between. */
type Alone = <T>(work: () => Promise<T>) => Promise<T>

/** Answers how many events changed. */
export async function squashAll(
  connection: Connection,
  { keep }: SquashOptions,
  alone: Alone,
): Promise<number> {
  let changedCount = 0
  // Most of the work beside those who write.
  for (const slice of slicesOf(await readWanted(connection, keep), UUIDS_PER_STATEMENT)) {
    changedCount += await updateEvents(connection, slice)
  }
  changedCount += await alone(async () => squash(connection, await readWanted(connection, keep)))
  return changedCount
}

export async function squashWhere(connection: Connection, condition: string): Promise<void> {
  await squash(connection, await readOverrides(connection, condition))
}

async function squash(connection: Connection, overrides: readonly OverrideRow[]): Promise<number> {
  let changedCount = 0
  for (const slice of slicesOf(overrides, UUIDS_PER_STATEMENT)) {
    changedCount += await updateEvents(connection, slice)
    await updateSnapshots(connection, slice)
    await updateMembers(connection, slice)
    await endOverrides(connection, slice)
  }
  return changedCount
}

async function readWanted(connection: Connection, keep: SquashOptions["keep"]) {
  const kept = (await keep?.()) ?? []
  const isKept = new Set(kept.map(({ project_id, person_id }) => `${project_id} ${person_id}`))
  const overrides = await readOverrides(connection, "1")
  return overrides.filter((row) => !isKept.has(`${row.project_id} ${row.old_person_id}`))
}

async function readOverrides(
  connection: Connection,
  condition: string,
): Promise<readonly OverrideRow[]> {
  const rows = await connection.read(
    `SELECT project_id, old_person_id, person_id FROM overrides FINAL WHERE ${condition}
      ORDER BY project_id, old_person_id`,
  )
  return rows.map(([project_id, old_person_id, person_id]) => ({
    project_id: Number(project_id),
    old_person_id: old_person_id ?? "",
    person_id: person_id ?? "",
  }))
}

async function updateEvents(connection: Connection, overrides: readonly OverrideRow[]) {
  let changedCount = 0
  for (const [project, rows] of groupByProject(overrides)) {
    changedCount += await updateRows(connection, "events", { project, rows })
  }
  return changedCount
}

/** Snapshots follow, or nothing would tell whose they are once the override is gone. */
async function updateSnapshots(connection: Connection, overrides: readonly OverrideRow[]) {
  for (const [project, rows] of groupByProject(overrides)) {
    await updateRows(connection, "person_snapshots", { project, rows })
  }
}

interface ProjectOverrides {
  readonly project: number
  readonly rows: readonly OverrideRow[]
}

/** A mutation looks at every part of the table: only where there is something to change. */
async function updateRows(
  connection: Connection,
  table: string,
  { project, rows }: ProjectOverrides,
): Promise<number> {
  const where = `project_id = ${sqlInteger(project)} AND person_id IN (${sqlUuids(rows.map(oldOf))})`
  const [row] = await connection.read(`SELECT count() FROM ${table} FINAL WHERE ${where}`)
  const changedCount = Number(row?.[0] ?? 0)
  if (changedCount === 0) return 0
  const lists = `[${sqlUuids(rows.map(oldOf))}], [${sqlUuids(rows.map(newOf))}]`
  await connection.run(
    `ALTER TABLE ${table} UPDATE person_id = toUUID(transform(toString(person_id), ${lists}, toString(person_id)))
      WHERE ${where} SETTINGS mutations_sync = 2`,
  )
  return changedCount
}

const oldOf = (row: OverrideRow) => row.old_person_id
const newOf = (row: OverrideRow) => row.person_id

/** A cohort may have the old and the new person: what remains is one. All in one insert. */
async function updateMembers(connection: Connection, overrides: readonly OverrideRow[]) {
  for (const [project, rows] of groupByProject(overrides)) {
    const olds = sqlUuids(rows.map(oldOf))
    const lists = `[${olds}], [${sqlUuids(rows.map(newOf))}]`
    await connection.run(
      `INSERT INTO cohort_members
        SELECT project_id, cohort_id, person, max(stored) + 1, toUInt8(max(is_new) = 0) FROM (
          SELECT project_id, cohort_id, toUUID(transform(toString(person_id), ${lists}, '')) AS person,
            0 AS stored, 1 AS is_new, 0 AS is_old
          FROM cohort_members FINAL WHERE project_id = ${sqlInteger(project)} AND person_id IN (${olds})
          UNION ALL
          SELECT project_id, cohort_id, person_id, max(row_version), 0, argMax(is_deleted, row_version) = 0
          FROM cohort_members WHERE project_id = ${sqlInteger(project)}
            AND person_id IN (${olds}, ${sqlUuids(rows.map(newOf))})
          GROUP BY project_id, cohort_id, person_id)
        GROUP BY project_id, cohort_id, person
        HAVING if(person IN (${olds}), max(is_old) = 1, max(is_new) > max(is_old))`,
    )
  }
}

async function endOverrides(connection: Connection, overrides: readonly OverrideRow[]) {
  for (const [project, rows] of groupByProject(overrides)) {
    await connection.run(
      `INSERT INTO overrides (project_id, old_person_id, person_id, row_version, is_deleted)
        SELECT project_id, old_person_id, old_person_id, max(row_version) + 1, 1 FROM overrides
        WHERE project_id = ${sqlInteger(project)} AND old_person_id IN (${sqlUuids(rows.map(oldOf))})
        GROUP BY project_id, old_person_id`,
    )
  }
}
