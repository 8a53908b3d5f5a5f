/** What a write endpoint changes, in one transaction that also remembers it as applied. */
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import type { ChangeId, ColumnarChange } from "../engine.ts"
import { jsonText } from "../json-text.ts"
import { writeFiles } from "../staging.ts"
import { loadRows } from "./append.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { readTexts } from "./read-texts.ts"
import { squashWhere } from "./squash.ts"
import { stageRows } from "./stage-batch.ts"
import type { Survey } from "./survey.ts"

interface Applied {
  readonly change: ColumnarChange
  readonly id: ChangeId | undefined
  /** Of the change's events. */
  readonly survey: Survey
  readonly folder: string
  readonly catalogue: PropertyCatalogue
  readonly now: Date
}

/** Inside a transaction. Rows go through files, as those of a batch do. */
export async function loadChange(connection: DuckDBConnection, applied: Applied): Promise<void> {
  const { moved = [], removed_persons = [] } = applied.change
  if (applied.id && !(await isFirstTime(connection, applied.id))) return
  await loadThroughFiles(connection, applied)
  if (moved.length > 0) await moveEvents(connection, moved)
  if (removed_persons.length > 0) await removePersons(connection, removed_persons)
}

/** Remembers the change, and forgets those that cannot come again. */
async function isFirstTime(connection: DuckDBConnection, { id, settledBefore }: ChangeId) {
  const known = await readTexts(connection, "SELECT 1 FROM applied_changes WHERE id = $1", [
    BigInt(id),
  ])
  if (known.length > 0) return false
  await connection.run("DELETE FROM applied_changes WHERE id < $1", [BigInt(settledBefore)])
  await connection.run("INSERT INTO applied_changes VALUES ($1)", [BigInt(id)])
  return true
}

async function loadThroughFiles(connection: DuckDBConnection, applied: Applied): Promise<void> {
  const { persons = [], snapshots = [], groups = [], merged = [] } = applied.change
  const rows = { persons, snapshots, groups, merged }
  const staged = stageRows(rows, applied.survey, applied.catalogue)
  if (staged.files.length === 0) return
  const folder = path.join(applied.folder, "applying")
  await mkdir(folder, { recursive: true })
  try {
    const facts = await writeFiles(folder, staged.files)
    const load = { insertedAt: applied.now, suspects: undefined }
    await loadRows(connection, { folder, manifest: staged.manifest(facts) }, load)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type PersonKeys = NonNullable<ColumnarChange["removed_persons"]>
type Moves = NonNullable<ColumnarChange["moved"]>

const PERSON_KEYS = `(SELECT s.project_id, s.uuid FROM
  (SELECT unnest(from_json($1, '[{"project_id":"INTEGER","uuid":"UUID"}]')) AS s))`

/** Their events keep the person's uuid: overrides that point to them are squashed first. */
async function removePersons(connection: DuckDBConnection, persons: PersonKeys) {
  const values = [jsonText(persons)]
  await squashWhere(connection, `(o.project_id, o.person_id) IN ${PERSON_KEYS}`, values)
  await connection.run(`DELETE FROM persons WHERE (project_id, uuid) IN ${PERSON_KEYS}`, values)
  for (const table of ["person_snapshots", "cohort_members"]) {
    await connection.run(
      `DELETE FROM ${table} WHERE (project_id, person_id) IN ${PERSON_KEYS}`,
      values,
    )
  }
}

const MOVES = `(SELECT s.* FROM (SELECT unnest(from_json($1,
  '[{"project_id":"INTEGER","distinct_id":"VARCHAR","from":"UUID","to":"UUID"}]'), max_depth := 2)) AS s)`

/** Events go by the person they are stored with, so each move is also one for every override to `from`. */
async function moveEvents(connection: DuckDBConnection, moves: Moves): Promise<void> {
  const values = [jsonText(moves)]
  // An override of the new owner says where other events of that uuid belong; it must not catch the moved ones.
  const ofOwner = `(o.project_id, o.old_person_id) IN (SELECT (project_id, "to") FROM ${MOVES})`
  await squashWhere(connection, ofOwner, values)
  await connection.run(
    `UPDATE events SET person_id = m."to" FROM (
        SELECT project_id, distinct_id, "from" AS stored, "to" FROM ${MOVES}
        UNION SELECT n.project_id, n.distinct_id, o.old_person_id, n."to" FROM ${MOVES} AS n
          JOIN overrides AS o ON o.project_id = n.project_id AND o.person_id = n."from") AS m
      WHERE events.project_id = m.project_id AND events.distinct_id = m.distinct_id
        AND events.person_id = m.stored`,
    values,
  )
}
