/** Brings the tables to what this version needs. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { StartError } from "../../lib/errors.ts"
import { readTexts } from "./read-texts.ts"
import { SCHEMA_STEPS } from "./schema.ts"

/** Inside a transaction; answers what it did. */
export async function migrateStore(connection: DuckDBConnection): Promise<readonly string[]> {
  const doneId = await findStepId(connection)
  const newest = SCHEMA_STEPS.at(-1)?.id ?? 0
  if (doneId > newest) {
    throw new StartError(
      `the event store is of a newer version (step ${doneId}, this program knows ${newest}); start that version`,
    )
  }
  const steps = SCHEMA_STEPS.filter(({ id }) => id > doneId)
  for (const { id, statements } of steps) {
    for (const statement of statements("")) await connection.run(statement)
    await connection.run("INSERT INTO schema_steps VALUES ($1)", [id])
  }
  return steps.map(({ what }) => what)
}

async function findStepId(connection: DuckDBConnection): Promise<number> {
  const tables = await readTexts(
    connection,
    "SELECT 1 FROM duckdb_tables() WHERE table_name = 'schema_steps'",
  )
  if (tables.length === 0) return 0
  const rows = await readTexts(connection, "SELECT max(id) FROM schema_steps")
  return Number(rows[0]?.[0] ?? 0)
}
