/** One prepared batch into the store: all of it with its mark, or nothing. */
import type { DuckDBConnection } from "@duckdb/node-api"
import type { LogMark } from "../engine.ts"
import {
  FILES,
  has,
  loadGroups,
  loadPersons,
  loadSnapshots,
  removeMerged,
  type Source,
} from "./load.ts"
import { type EventLoad, loadEvents } from "./load-events.ts"
import { loadOverrides } from "./overrides.ts"
import { readTexts } from "./read-texts.ts"

export interface Append {
  readonly source: Source
  readonly mark: LogMark
  readonly load: EventLoad
}

/** Inside a transaction. A batch at or before the stored position is in the store already. */
export async function appendStaged(
  connection: DuckDBConnection,
  { source, mark, load }: Append,
): Promise<void> {
  if (await isStored(connection, mark)) return
  await loadRows(connection, source, load)
  await connection.run("DELETE FROM log_marks WHERE log_id = $1", [mark.log_id])
  await connection.run("INSERT INTO log_marks VALUES ($1, $2)", [mark.log_id, mark.position])
}

/** The tables of a batch. Merged persons go last: a batch may hold both a person and its end. */
export async function loadRows(connection: DuckDBConnection, source: Source, load: EventLoad) {
  if (has(source, FILES.events)) await loadEvents(connection, source, load)
  if (has(source, FILES.persons)) await loadPersons(connection, source)
  if (has(source, FILES.snapshots)) await loadSnapshots(connection, source)
  if (has(source, FILES.groups)) await loadGroups(connection, source)
  if (has(source, FILES.overrides)) await loadOverrides(connection, source)
  if (has(source, FILES.merged)) await removeMerged(connection, source)
}

async function isStored(connection: DuckDBConnection, mark: LogMark): Promise<boolean> {
  const rows = await readTexts(
    connection,
    "SELECT 1 FROM log_marks WHERE log_id = $1 AND position >= $2",
    [mark.log_id, mark.position],
  )
  return rows.length > 0
}
