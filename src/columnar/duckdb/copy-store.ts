/** A whole copy of the store in a new file: live rows only, so nothing deleted is in it. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { COLUMN_TYPES, type PropertyCatalogue } from "./catalogue.ts"
import { readCatalogue } from "./property-columns.ts"
import { SCHEMA_STEPS, TABLE_NAMES } from "./schema.ts"
import { sqlText } from "./sql-text.ts"
import { syncPath } from "./store-files.ts"

export interface StoreCopy {
  readonly file: string
  /** Unused among attached databases. */
  readonly name: string
  /** Called once it is settled what is copied: nothing written later is in the copy. */
  readonly onBegun?: (() => void) | undefined
}

/** The file is whole, closed and on disk when this returns. */
export async function copyStore(
  connection: DuckDBConnection,
  { file, name, onBegun }: StoreCopy,
): Promise<void> {
  await connection.run(`ATTACH ${sqlText(file)} AS ${name} (STORAGE_VERSION 'latest')`)
  try {
    // One transaction, hence one moment, whatever is written meanwhile.
    await connection.run("BEGIN")
    try {
      // The first read of a transaction fixes what all later ones see.
      const catalogue = await readCatalogue(connection)
      onBegun?.()
      await copyTables(connection, catalogue, `${name}.`)
      await connection.run("COMMIT")
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => undefined)
      throw error
    }
    await connection.run(`CHECKPOINT ${name}`)
  } finally {
    await connection.run(`DETACH ${name}`)
  }
  await syncPath(file)
}

async function copyTables(
  connection: DuckDBConnection,
  catalogue: PropertyCatalogue,
  prefix: string,
): Promise<void> {
  for (const { statements } of SCHEMA_STEPS) {
    for (const statement of statements(prefix)) await connection.run(statement)
  }
  for (const { column, type } of catalogue.list()) {
    await connection.run(`ALTER TABLE ${prefix}events ADD COLUMN ${column} ${COLUMN_TYPES[type]}`)
  }
  for (const table of TABLE_NAMES) {
    await connection.run(`INSERT INTO ${prefix}${table} BY NAME SELECT * FROM ${table}`)
  }
}
