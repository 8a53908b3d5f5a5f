/** What a write endpoint changes. It is remembered as applied at its end: half of it is done again as a whole. */
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import { newUuid } from "../../lib/ids.ts"
import { slicesWithin } from "../../lib/slices.ts"
import type { ChangeId, ColumnarChange } from "../engine.ts"
import { writeFiles } from "../staging.ts"
import { loadRows } from "./append.ts"
import type { Connection } from "./connection.ts"
import { stageRows } from "./lines.ts"
import { removePersonRows } from "./persons.ts"
import {
  groupByProject,
  slicesOf,
  sqlInteger,
  sqlText,
  sqlUuid,
  sqlUuids,
  UUIDS_PER_STATEMENT,
} from "./sql-text.ts"
import { squashWhere } from "./squash.ts"

interface Applied {
  readonly change: ColumnarChange
  readonly id: ChangeId | undefined
  readonly folder: string
}

export async function applyChange(connection: Connection, applied: Applied): Promise<void> {
  const { id, change } = applied
  if (id !== undefined && (await isApplied(connection, id))) return
  await loadThroughFiles(connection, applied)
  await moveEvents(connection, change.moved ?? [])
  await removePersons(connection, change.removed_persons ?? [])
  if (id !== undefined) await remember(connection, id)
}

async function isApplied(connection: Connection, { id }: ChangeId): Promise<boolean> {
  const rows = await connection.read(`SELECT 1 FROM applied_changes WHERE id = ${sqlInteger(id)}`)
  return rows.length > 0
}

/** Remembered ids beyond which those that cannot come again are forgotten. */
const REMEMBERED_MAX = 1_000

async function remember(connection: Connection, { id, settledBefore }: ChangeId): Promise<void> {
  await connection.insert("applied_changes", [JSON.stringify({ id })])
  const settled = `id < ${sqlInteger(settledBefore)}`
  const [row] = await connection.read(`SELECT count() FROM applied_changes WHERE ${settled}`)
  if (Number(row?.[0] ?? 0) < REMEMBERED_MAX) return
  await connection.run(
    `DELETE FROM applied_changes WHERE ${settled} SETTINGS lightweight_deletes_sync = 2`,
  )
}

async function loadThroughFiles(connection: Connection, applied: Applied): Promise<void> {
  const { persons = [], snapshots = [], groups = [], merged = [], events = [] } = applied.change
  const staged = stageRows({ persons, snapshots, groups, merged, events })
  if (staged.files.length === 0) return
  const folder = path.join(applied.folder, "applying", newUuid())
  await mkdir(folder, { recursive: true })
  try {
    const facts = await writeFiles(folder, staged.files)
    await loadRows(connection, { folder, manifest: staged.manifest(facts) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type PersonKeys = NonNullable<ColumnarChange["removed_persons"]>

/** Their events keep the person's uuid: overrides that point to them are squashed first. */
async function removePersons(connection: Connection, persons: PersonKeys): Promise<void> {
  for (const [project, keys] of groupByProject(persons)) {
    for (const slice of slicesOf(keys, UUIDS_PER_STATEMENT)) {
      const uuids = sqlUuids(slice.map(({ uuid }) => uuid))
      const isTheirs = `project_id = ${sqlInteger(project)} AND person_id IN (${uuids})`
      await squashWhere(connection, isTheirs)
      await removePersonRows(connection, slice)
      for (const table of ["person_snapshots", "cohort_members"]) {
        await deleteRows(connection, table, isTheirs)
      }
    }
  }
}

/** Answers how many rows went. Only where there are some: a deletion looks at every part of the table. */
export async function deleteRows(
  connection: Connection,
  table: string,
  condition: string,
): Promise<number> {
  const [row] = await connection.read(`SELECT count() FROM ${table} WHERE ${condition}`)
  const foundCount = Number(row?.[0] ?? 0)
  if (foundCount === 0) return 0
  await connection.run(
    `DELETE FROM ${table} WHERE ${condition} SETTINGS lightweight_deletes_sync = 2`,
  )
  return foundCount
}

type Move = NonNullable<ColumnarChange["moved"]>[number]

/** Events go by the person they are stored with, so each move is also one for every override to `from`. */
async function moveEvents(connection: Connection, moves: readonly Move[]): Promise<void> {
  for (const [project, ofProject] of groupByProject(moves)) {
    const owners = [...new Set(ofProject.map(({ to }) => to))]
    for (const slice of slicesOf(owners, UUIDS_PER_STATEMENT)) {
      const condition = `project_id = ${sqlInteger(project)} AND old_person_id IN (${sqlUuids(slice)})`
      // An override of the new owner says where other events of that uuid belong; it must not catch the moved ones.
      await squashWhere(connection, condition)
    }
    for (const from of new Set(ofProject.map((move) => move.from))) {
      const ofPerson = ofProject.filter((move) => move.from === from)
      for (const slice of slicesWithin(ofPerson, MOVES_BYTES, weigh)) {
        await movePart(connection, from, slice)
      }
    }
  }
}

/** Of the distinct ids in one statement, which names each twice and its new owner once. */
const MOVES_BYTES = 64 * 1024
const weigh = ({ distinct_id }: Move) => Buffer.byteLength(distinct_id) + OWNER_BYTES
const OWNER_BYTES = 40

/** All moves are of one project and from one person. */
async function movePart(connection: Connection, from: string, moves: readonly Move[]) {
  const project = sqlInteger(moves[0]?.project_id ?? 0)
  const olds = await connection.read(
    `SELECT old_person_id FROM overrides FINAL WHERE project_id = ${project} AND person_id = ${sqlUuid(from)}`,
  )
  const stored = sqlUuids([from, ...olds.map(([old]) => old ?? "")])
  const ids = moves.map(({ distinct_id }) => sqlText(distinct_id)).join(", ")
  const owners = `transform(distinct_id, [${ids}], [${sqlUuids(moves.map(({ to }) => to))}], toString(person_id))`
  await connection.run(
    `ALTER TABLE events UPDATE person_id = toUUID(${owners})
      WHERE project_id = ${project} AND distinct_id IN (${ids}) AND person_id IN (${stored})
      SETTINGS mutations_sync = 2`,
  )
}
