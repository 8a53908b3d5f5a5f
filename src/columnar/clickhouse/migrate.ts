/** Brings the tables to what this version needs. Nodes that do it at the same time do the same. */
import { StartError } from "../../lib/errors.ts"
import type { Connection } from "./connection.ts"
import { SCHEMA_STEPS } from "./schema.ts"
import { sqlInteger } from "./sql-text.ts"

/** Answers what it did. */
export async function migrateTables(connection: Connection): Promise<readonly string[]> {
  await connection.run(
    "CREATE TABLE IF NOT EXISTS schema_steps (id UInt32) ENGINE = ReplacingMergeTree ORDER BY id",
  )
  const [row] = await connection.read("SELECT max(id) FROM schema_steps")
  const doneId = Number(row?.[0] ?? 0)
  const newest = SCHEMA_STEPS.at(-1)?.id ?? 0
  if (doneId > newest) {
    throw new StartError(
      `the event store is of a newer version (step ${doneId}, this program knows ${newest}); start that version`,
    )
  }
  const steps = SCHEMA_STEPS.filter(({ id }) => id > doneId)
  for (const { id, statements } of steps) {
    for (const statement of statements) await connection.run(statement)
    await connection.run(`INSERT INTO schema_steps VALUES (${sqlInteger(id)})`)
  }
  return steps.map(({ what }) => what)
}
