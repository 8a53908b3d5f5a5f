import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, expect, test } from "vitest"
import { printSelect } from "../../../columnar/duckdb/printer.ts"
import { boundValue, plainValue } from "../../../columnar/duckdb/values.ts"
import { compileQuery } from "../compile.ts"
import { LANGUAGE_FUNCTIONS } from "./index.ts"

const nothingPromoted = { find: () => [], list: () => [], isComplete: () => false }
const context = {
  project_id: 1,
  timezone: "UTC",
  weekStartsOn: 0,
  now: new Date("2026-11-16T12:00:00Z"),
} as const

let instance: DuckDBInstance

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "1" })
})

afterAll(() => {
  instance.closeSync()
})

async function answer(text: string): Promise<unknown> {
  const { query } = compileQuery(`SELECT ${text}`, context)
  const { sql, params } = printSelect(query, nothingPromoted)
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(sql, params.map(boundValue))
    const [row] = reader.getRows()
    return plainValue(row?.[0] ?? null)
  } finally {
    connection.closeSync()
  }
}

const EXAMPLES = LANGUAGE_FUNCTIONS.flatMap(({ example }) =>
  example === undefined ? [] : [example],
)

test.each(EXAMPLES)("%s is %j", async (text, expected) => {
  expect(await answer(text)).toEqual(expected)
})
