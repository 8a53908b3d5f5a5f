/** Rows of the engine's own questions, each value as text. */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"

export async function readTexts(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[] = [],
): Promise<readonly (readonly string[])[]> {
  const reader = await connection.runAndReadAll(sql, values)
  return reader.getRows().map((row) => row.map((value) => String(value)))
}
