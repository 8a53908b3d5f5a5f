/** A small in-memory store of the real shape, to run printed queries on, with any layout of properties. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import type { PropertyCatalogue, PropertyColumn } from "../../src/columnar/duckdb/catalogue.ts"
import { printSelect } from "../../src/columnar/duckdb/printer.ts"
import { SCHEMA_STEPS } from "../../src/columnar/duckdb/schema.ts"
import { isJsonObject, type JsonValue } from "../../src/lib/json.ts"
import { openClickHouseRows } from "./clickhouse-rows.ts"
import { clickHouseUrl } from "./columnar-engine.ts"
import {
  LAYOUTS as ALL_LAYOUTS,
  type Layout,
  PROJECT_ID,
  type SmallEvent,
  type SmallRows,
  type SmallStore,
  uuidOf,
} from "./small-rows.ts"

export { PROJECT_ID, type SmallRows, type SmallStore, uuidOf }

/** On ClickHouse, where the run names a server, there is one layout only. */
export const LAYOUTS: readonly Layout[] = clickHouseUrl === undefined ? ALL_LAYOUTS : ["json"]

export async function openRows(rows: SmallRows, layout: Layout = "json"): Promise<SmallStore> {
  if (clickHouseUrl !== undefined) return openClickHouseRows(rows)
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" })
  const connection = await instance.connect()
  for (const step of SCHEMA_STEPS) {
    for (const statement of step.statements("")) await connection.run(statement)
  }
  const catalogue = catalogueOf(rows.events ?? [], layout)
  for (const { column, type } of catalogue.list()) {
    await connection.run(`ALTER TABLE events ADD COLUMN ${column} ${SQL_TYPES[type]}`)
  }
  await insertEvents(connection, rows.events ?? [], catalogue)
  await insertOthers(connection, rows)
  return {
    async rows(query) {
      const { sql, params } = printSelect(query, catalogue)
      const reader = await connection.runAndReadAll(sql, [...params] as string[])
      return reader.getRowObjectsJson() as unknown as Record<string, JsonValue>[]
    },
    async [Symbol.asyncDispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

const SQL_TYPES = { text: "VARCHAR", number: "DOUBLE", boolean: "BOOLEAN" } as const

const typeOf = (value: JsonValue): PropertyColumn["type"] | undefined => {
  if (typeof value === "string") return "text"
  if (typeof value === "number") return "number"
  return typeof value === "boolean" ? "boolean" : undefined
}

function catalogueOf(events: readonly SmallEvent[], layout: Layout): PropertyCatalogue {
  const columns = new Map<string, PropertyColumn>()
  for (const [key, value] of events.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
    const type = typeOf(value)
    if (type === undefined || layout === "json" || (layout === "mixed" && type === "text")) continue
    const id = `${type} ${key}`
    if (!columns.has(id)) columns.set(id, { key, type, column: `p_${columns.size + 1}` })
  }
  const list = [...columns.values()]
  const find = (key: string) => list.filter((column) => column.key === key)
  const isStray = (key: string, value: JsonValue | undefined) =>
    value !== undefined && value !== null && !find(key).some(({ type }) => type === typeOf(value))
  return {
    list: () => list,
    find,
    isComplete: (key) =>
      find(key).length > 0 && !events.some(({ properties }) => isStray(key, properties?.[key])),
  }
}

async function insertEvents(
  connection: DuckDBConnection,
  events: readonly SmallEvent[],
  catalogue: PropertyCatalogue,
) {
  for (const event of events) {
    const entries = Object.entries(event.properties ?? {}).map(([key, value]) => ({
      key,
      value,
      column: catalogue.find(key).find(({ type }) => type === typeOf(value))?.column,
    }))
    const shredded = entries.flatMap(({ column, value }) => (column ? [{ column, value }] : []))
    const rest = entries.filter(({ column }) => column === undefined)
    const json = JSON.stringify(Object.fromEntries(rest.map(({ key, value }) => [key, value])))
    const names = ["properties", ...shredded.map(({ column }) => column)]
    const values = [
      rest.length === 0 ? null : json,
      ...shredded.map(({ value }) => (typeof value === "number" ? String(value) : value)),
    ]
    const places = values.map((_, index) => `$${index + 5}`).join(", ")
    await connection.run(
      `INSERT INTO events (project_id, uuid, person_id, elements_chain, event, "timestamp",
         distinct_id, received_at, inserted_at, ${names.join(", ")})
       VALUES ($1, CAST($2 AS UUID), CAST($3 AS UUID), $4, 'event', TIMESTAMP '2026-01-01', 'id',
         TIMESTAMP '2026-01-01', TIMESTAMP '2026-01-01', ${places})`,
      [
        event.project_id ?? PROJECT_ID,
        event.uuid,
        event.person_id ?? uuidOf(0),
        event.elements_chain ?? "",
        ...values,
      ] as string[],
    )
  }
}

async function insertOthers(connection: DuckDBConnection, rows: SmallRows) {
  for (const [index, { uuid, properties }] of (rows.persons ?? []).entries()) {
    const email = isJsonObject(properties) ? properties.email : undefined
    await connection.run(
      `INSERT INTO persons VALUES ($1, $2, CAST($3 AS UUID), 1, 1, false, TIMESTAMP '2026-01-01', $4, $5)`,
      [
        PROJECT_ID,
        index,
        uuid,
        typeof email === "string" ? email : null,
        JSON.stringify(properties),
      ],
    )
  }
  for (const { index, key, properties } of rows.groups ?? []) {
    await connection.run(`INSERT INTO groups VALUES ($1, $2, $3, 1, TIMESTAMP '2026-01-01', $4)`, [
      PROJECT_ID,
      index,
      key,
      JSON.stringify(properties),
    ])
  }
  for (const { old_person_id, person_id } of rows.overrides ?? []) {
    await connection.run(`INSERT INTO overrides VALUES ($1, CAST($2 AS UUID), CAST($3 AS UUID))`, [
      PROJECT_ID,
      old_person_id,
      person_id,
    ])
  }
}
