/** Overrides of merged persons, written without chains. */
import type { OverrideRow } from "../engine.ts"
import { withOverrides } from "../override-chains.ts"
import type { Connection } from "./connection.ts"
import { groupByProject, slicesOf, sqlInteger, sqlUuids, UUIDS_PER_STATEMENT } from "./sql-text.ts"

interface StoredOverride {
  readonly old: string
  readonly person: string
  /** Of the newest row, its end included. */
  readonly version: number
  readonly isDeleted: boolean
}

/** Only stored ones that touch the same persons are read. */
export async function writeOverrides(
  connection: Connection,
  rows: readonly OverrideRow[],
): Promise<void> {
  for (const [project, changes] of groupByProject(rows)) {
    const ids = new Set(changes.flatMap((row) => [row.old_person_id, row.person_id]))
    const stored = await readOverrides(connection, project, [...ids])
    const before = new Map(
      stored.filter(({ isDeleted }) => !isDeleted).map(({ old, person }) => [old, person]),
    )
    const after = withOverrides(
      before,
      changes.map((row) => ({ from: row.old_person_id, to: row.person_id })),
    )
    const versions = new Map(stored.map(({ old, version }) => [old, version]))
    const lines = changedLines({ project, before, after, versions })
    if (lines.length > 0) await connection.insert("overrides", lines)
  }
}

interface Difference {
  readonly project: number
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
  readonly versions: ReadonlyMap<string, number>
}

function changedLines({ project, before, after, versions }: Difference): readonly string[] {
  const lines: string[] = []
  for (const old of new Set([...before.keys(), ...after.keys()])) {
    const person = after.get(old)
    if (person === before.get(old)) continue
    const row = {
      project_id: project,
      old_person_id: old,
      person_id: person ?? old,
      row_version: (versions.get(old) ?? 0) + 1,
      is_deleted: person === undefined ? 1 : 0,
    }
    lines.push(JSON.stringify(row))
  }
  return lines
}

/** Rows of these old persons and those that point to them, ended ones included: their versions count on. */
async function readOverrides(
  connection: Connection,
  project: number,
  ids: readonly string[],
): Promise<readonly StoredOverride[]> {
  const found = new Map<string, StoredOverride>()
  for (const slice of slicesOf(ids, UUIDS_PER_STATEMENT)) {
    const uuids = sqlUuids(slice)
    const rows = await connection.read(
      `SELECT old_person_id, argMax(person_id, row_version) AS newest, max(row_version),
          argMax(is_deleted, row_version)
        FROM overrides WHERE project_id = ${sqlInteger(project)}
        GROUP BY old_person_id HAVING old_person_id IN (${uuids}) OR newest IN (${uuids})`,
    )
    for (const [old, person, version, isDeleted] of rows) {
      found.set(old ?? "", {
        old: old ?? "",
        person: person ?? "",
        version: Number(version),
        isDeleted: isDeleted === "1",
      })
    }
  }
  return [...found.values()]
}
