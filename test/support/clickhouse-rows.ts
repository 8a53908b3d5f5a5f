/** The rows of a test in a database of their own on ClickHouse. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { ColumnarBatch } from "../../src/columnar/engine.ts"
import type { JsonValue } from "../../src/lib/json.ts"
import { databaseOf, dropDatabase, openEngine } from "./columnar-engine.ts"
import { PROJECT_ID, type SmallRows, type SmallStore, uuidOf } from "./small-rows.ts"

const LIMITS = { timeoutMs: 60_000 }
const TIME = "2026-01-01 00:00:00"

export async function openClickHouseRows(rows: SmallRows): Promise<SmallStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-rows-"))
  const engine = await openEngine(folder)
  await engine.append(await engine.prepare(batchOf(rows)))
  return {
    rows: async (query) =>
      (await engine.rows(query, LIMITS)) as readonly Readonly<Record<string, JsonValue>>[],
    async [Symbol.asyncDispose]() {
      await engine.close()
      await dropDatabase(databaseOf(folder))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function batchOf(rows: SmallRows): ColumnarBatch {
  const base = { project_id: PROJECT_ID, created_at: TIME, version: 1 }
  return {
    events: (rows.events ?? []).map((event) => ({
      ...{ project_id: PROJECT_ID, person_id: uuidOf(0), elements_chain: "", properties: {} },
      ...{ event: "event", timestamp: TIME, received_at: TIME, distinct_id: "id" },
      snapshot_id: null,
      ...event,
    })),
    persons: (rows.persons ?? []).map(({ uuid, properties }, index) => {
      return { ...base, id: index, uuid, snapshot_id: 1, is_identified: false, properties }
    }),
    groups: (rows.groups ?? []).map(({ index, key, properties }) => {
      return { ...base, group_type_index: index, group_key: key, properties }
    }),
    overrides: (rows.overrides ?? []).map((row) => ({ project_id: PROJECT_ID, ...row })),
    snapshots: [],
    merged: [],
    mark: { log_id: "rows", position: 1 },
  }
}
