/**
 * One prepared batch into the tables. There is no transaction: rows go in so that whoever sees an event sees all
 * that it names, the mark goes last, and what a crash left in between changes nothing when it comes again.
 */
import type { ColumnarBatch, LogMark, OverrideRow } from "../engine.ts"
import type { Connection } from "./connection.ts"
import { FILES } from "./manifest.ts"
import { writeOverrides } from "./overrides.ts"
import { removePersonRows } from "./persons.ts"
import {
  groupByProject,
  slicesOf,
  sqlInteger,
  sqlText,
  sqlUuids,
  UUIDS_PER_STATEMENT,
} from "./sql-text.ts"
import {
  has,
  keyOf,
  keyText,
  type LineKey,
  readKeys,
  readLines,
  readRows,
  type Source,
} from "./staged-lines.ts"

export async function appendStaged(
  connection: Connection,
  source: Source,
  mark: LogMark,
): Promise<void> {
  const stored = await findPosition(connection, mark.log_id)
  if (stored !== undefined && stored >= mark.position) return
  await loadRows(connection, source)
  await connection.insert("log_marks", [JSON.stringify(mark)])
}

export async function findPosition(
  connection: Connection,
  logId: string,
): Promise<number | undefined> {
  const sql = `SELECT max(position) FROM log_marks WHERE log_id = ${sqlText(logId)} HAVING count() > 0`
  const [row] = await connection.read(sql)
  return row === undefined ? undefined : Number(row[0])
}

export async function loadRows(connection: Connection, source: Source): Promise<void> {
  if (has(source, FILES.snapshots)) {
    await connection.insert("person_snapshots", readLines(source, FILES.snapshots))
  }
  if (has(source, FILES.persons)) await loadPersons(connection, source)
  if (has(source, FILES.groups)) {
    await connection.insert("groups", readLines(source, FILES.groups))
  }
  if (has(source, FILES.overrides)) {
    await writeOverrides(connection, await readRows<OverrideRow>(source, FILES.overrides))
  }
  if (has(source, FILES.merged)) {
    type Merged = ColumnarBatch["merged"][number]
    await removePersonRows(connection, await readRows<Merged>(source, FILES.merged))
  }
  if (has(source, FILES.events)) await loadEvents(connection, source)
}

/** What is stored already stays as it is. Two nodes that store an event at the same moment replace each other's. */
async function loadEvents(connection: Connection, source: Source): Promise<void> {
  const stored = new Set<string>()
  for (const [project, keys] of groupByProject(await readKeys(source, FILES.events))) {
    for (const slice of slicesOf(keys, UUIDS_PER_STATEMENT)) {
      const rows = await connection.read(
        `SELECT uuid FROM events WHERE project_id = ${sqlInteger(project)}
          AND uuid IN (${sqlUuids(slice.map(({ uuid }) => uuid))})`,
      )
      for (const [uuid] of rows) stored.add(keyText({ project_id: project, uuid: uuid ?? "" }))
    }
  }
  await connection.insert(
    "events",
    filter(readLines(source, FILES.events), (line) => !stored.has(keyText(keyOf(line)))),
  )
}

/** A person that was removed begins a new life: above its end, versions count from the start again. */
async function loadPersons(connection: Connection, source: Source): Promise<void> {
  const ends = await readEnds(connection, await readKeys(source, FILES.persons))
  const lines = readLines(source, FILES.persons)
  await connection.insert("persons", ends.size === 0 ? lines : inNewLives(lines, ends))
}

async function* inNewLives(lines: AsyncIterable<string>, ends: ReadonlyMap<string, number>) {
  for await (const line of lines) {
    const end = ends.get(keyText(keyOf(line)))
    yield end === undefined
      ? line
      : line.replace(
          /"row_version":(\d+)/,
          (_, version) => `"row_version":${end + Number(version)}`,
        )
  }
}

async function readEnds(connection: Connection, keys: readonly LineKey[]) {
  const ends = new Map<string, number>()
  for (const [project, ofProject] of groupByProject(keys)) {
    for (const slice of slicesOf(ofProject, UUIDS_PER_STATEMENT)) {
      const rows = await connection.read(
        `SELECT uuid, max(row_version) FROM persons WHERE project_id = ${sqlInteger(project)}
          AND uuid IN (${sqlUuids(slice.map(({ uuid }) => uuid))}) AND is_deleted = 1 GROUP BY uuid`,
      )
      for (const [uuid, end] of rows) {
        ends.set(keyText({ project_id: project, uuid: uuid ?? "" }), Number(end))
      }
    }
  }
  return ends
}

async function* filter(lines: AsyncIterable<string>, isKept: (line: string) => boolean) {
  for await (const line of lines) if (isKept(line)) yield line
}
