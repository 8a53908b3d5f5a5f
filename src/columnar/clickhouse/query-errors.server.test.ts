/** What a server refuses about a query is told as an error of the query, without the SQL behind it. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { clickHouseUrl } from "../../../test/support/columnar-engine.ts"
import { Connection } from "./connection.ts"
import { queryRows } from "./query.ts"

const LIMITS = { timeoutMs: 60_000 }
const MEMORY_BYTES = 4 * 1024 * 1024

let connection: Connection
beforeAll(() => {
  connection = new Connection({ url: clickHouseUrl ?? "", database: "default" })
})
afterAll(() => connection.close())

const ask = (sql: string) =>
  queryRows(
    {
      connection,
      memoryBytes: MEMORY_BYTES,
      printed: { sql, params: [], columns: [{ name: "a", printed: "a" }], doubtful: new Set() },
    },
    LIMITS,
  )

test.each([
  ["SELECT now() + 'a' AS a"],
  ["SELECT length() AS a"],
  ["SELECT [1, 'x'] AS a"],
  ["SELECT 'x' = 1 AS a"],
])("types that a function does not take: %s", async (sql) => {
  await expect(ask(sql)).rejects.toMatchObject({
    kind: "invalid",
    attr: "query",
    code: "illegal_type_of_argument",
  })
})

test.each([
  ["SELECT toUInt8(materialize('x')) AS a"],
  ["SELECT toDateTime('zzz') AS a"],
  ["SELECT intDiv(1, materialize(0)) AS a"],
  ["SELECT range(1000000000) AS a"],
  ["SELECT leftPad('x', 100000000000) AS a"],
  ["SELECT CAST(materialize(NULL::Nullable(String)) AS String) AS a"],
  ["SELECT (SELECT number FROM numbers(2)) AS a"],
])("values that a function does not take: %s", async (sql) => {
  await expect(ask(sql)).rejects.toMatchObject({
    ...{ kind: "invalid", attr: "query", code: "illegal_value" },
    message: expect.not.stringContaining("SELECT"),
  })
})

test("a query that needs more memory than it may take is told to ask for less", async () => {
  const sql = "SELECT length(groupArray(number)) AS a FROM numbers(5000000)"
  await expect(ask(sql)).rejects.toMatchObject({ kind: "unavailable" })
})
