/** A columnar store of its own for a test: DuckDB in a folder, or ClickHouse where the run names a server. */
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createClient } from "@clickhouse/client"
import { openClickHouse } from "../../src/columnar/clickhouse/engine.ts"
import { openDuckDb } from "../../src/columnar/duckdb/engine.ts"
import type { ColumnarEngine } from "../../src/columnar/engine.ts"
import { FixedClock } from "../../src/lib/clock.ts"
import { openLogger } from "../../src/lib/logger.ts"

const MEMORY_BYTES = 512 * 1024 * 1024

/** The server that this run of tests was given. */
export const clickHouseUrl = process.env.CLICKHOUSE_URL || undefined

export async function openFolder(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-columnar-"))
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await dropDatabase(databaseOf(folder))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function openEngine(folder: string): Promise<ColumnarEngine> {
  const settings = {
    folder,
    memoryBytes: MEMORY_BYTES,
    logger: openLogger({ form: "json", level: "silent" }),
  }
  const clock = new FixedClock("2026-02-01T00:00:00Z")
  const engine =
    clickHouseUrl === undefined
      ? await openDuckDb({ ...settings, threads: 2, clock })
      : await openClickHouse({ ...settings, url: clickHouseUrl, database: databaseOf(folder) })
  await engine.migrate()
  return engine
}

/** One folder, one database: a store that is opened again finds what it had. */
export function databaseOf(folder: string): string {
  return `test_${createHash("sha1").update(folder).digest("hex").slice(0, 16)}`
}

export async function dropDatabase(name: string): Promise<void> {
  if (clickHouseUrl === undefined) return
  const client = createClient({ url: clickHouseUrl })
  await client.command({ query: `DROP DATABASE IF EXISTS ${name} SYNC` })
  await client.close()
}
