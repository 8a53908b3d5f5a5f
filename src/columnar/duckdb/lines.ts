/** Rows as lines of JSON, with one name and type per member: what is staged and what is loaded agree here. */
import type { JsonObject } from "../../lib/json.ts"
import type { ColumnarBatch, GroupRow, OverrideRow, PersonRow, SnapshotRow } from "../engine.ts"
import { jsonText } from "../json-text.ts"

export type Members = Readonly<Record<string, string>>

export const EVENT_MEMBERS = {
  project_id: "INTEGER",
  uuid: "UUID",
  event: "VARCHAR",
  timestamp: "TIMESTAMP",
  distinct_id: "VARCHAR",
  person_id: "UUID",
  snapshot_id: "BIGINT",
  received_at: "TIMESTAMP",
  elements_chain: "VARCHAR",
  properties: "VARCHAR",
} as const satisfies Members

export const PERSON_MEMBERS = {
  project_id: "INTEGER",
  id: "BIGINT",
  uuid: "UUID",
  version: "INTEGER",
  snapshot_id: "BIGINT",
  is_identified: "BOOLEAN",
  created_at: "TIMESTAMP",
  email: "VARCHAR",
  properties: "VARCHAR",
} as const satisfies Members

export const SNAPSHOT_MEMBERS = {
  project_id: "INTEGER",
  snapshot_id: "BIGINT",
  person_id: "UUID",
  properties: "VARCHAR",
} as const satisfies Members

export const GROUP_MEMBERS = {
  project_id: "INTEGER",
  group_type_index: "INTEGER",
  group_key: "VARCHAR",
  version: "INTEGER",
  created_at: "TIMESTAMP",
  properties: "VARCHAR",
} as const satisfies Members

export const OVERRIDE_MEMBERS = {
  project_id: "INTEGER",
  old_person_id: "UUID",
  person_id: "UUID",
} as const satisfies Members

export const PERSON_KEY_MEMBERS = { project_id: "INTEGER", uuid: "UUID" } as const satisfies Members

/** Only the newest version of each person. */
export function* personLines(rows: readonly PersonRow[]): Iterable<string> {
  for (const row of newestBy(rows, ({ project_id, uuid }) => `${project_id} ${uuid}`)) {
    const { email } = row.properties
    yield rowLine(row, { email: typeof email === "string" ? email : null })
  }
}

export function* snapshotLines(rows: readonly SnapshotRow[]): Iterable<string> {
  const byId = new Map(rows.map((row) => [`${row.project_id} ${row.snapshot_id}`, row]))
  for (const row of byId.values()) yield rowLine(row)
}

export function* groupLines(rows: readonly GroupRow[]): Iterable<string> {
  const keyOf = (row: GroupRow) => `${row.project_id} ${row.group_type_index} ${row.group_key}`
  for (const row of newestBy(rows, keyOf)) yield rowLine(row)
}

export function* keyLines(rows: readonly (OverrideRow | PersonKey)[]): Iterable<string> {
  for (const row of rows) yield JSON.stringify(row)
}

type PersonKey = ColumnarBatch["merged"][number]

function newestBy<T extends { readonly version: number }>(
  rows: readonly T[],
  keyOf: (row: T) => string,
): Iterable<T> {
  const newest = new Map<string, T>()
  for (const row of rows) {
    const known = newest.get(keyOf(row))
    if (known === undefined || known.version <= row.version) newest.set(keyOf(row), row)
  }
  return newest.values()
}

/** Properties as text inside the JSON: DuckDB must not read their numbers. */
function rowLine(row: { readonly properties: JsonObject }, more: object = {}): string {
  return jsonText({ ...row, ...more, properties: jsonText(row.properties) })
}
