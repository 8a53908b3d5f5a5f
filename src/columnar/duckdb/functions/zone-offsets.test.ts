import { DuckDBInstance } from "@duckdb/node-api"
import { expect, test } from "vitest"
import { call, column, number, text } from "../../../query/build.ts"
import type { Expr } from "../../../query/tree.ts"
import { printSelect } from "../printer.ts"
import { boundValue } from "../values.ts"

const nothingPromoted = { find: () => [], list: () => [], isComplete: () => false }
const SECONDS_STEP = 160_007
/** 2001-06-01 */
const START_SECONDS = 991_353_600
const COUNT = 6_000

/** Whether two ways of saying the same differ for any moment of thirty years. */
async function countDifferences(left: Expr, right: Expr): Promise<unknown> {
  const seconds: Expr = {
    kind: "arithmetic",
    operator: "+",
    left: number(START_SECONDS),
    right: {
      kind: "arithmetic",
      operator: "*",
      left: column("n", "number"),
      right: number(SECONDS_STEP),
    },
  }
  const inner = {
    columns: [{ as: "at", expr: call("momentOfUnix", seconds) }],
    from: { kind: "numbers", start: 0, count: COUNT, alias: "n" },
  } as const
  const query = {
    columns: [{ as: "count", expr: { kind: "aggregate", name: "count", args: [] } }],
    from: { kind: "subquery", query: inner, alias: "t" },
    where: { kind: "not", operand: call("isSame", left, right) },
  } as const
  const { sql, params } = printSelect(query, nothingPromoted)
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" })
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(sql, params.map(boundValue))
  connection.closeSync()
  instance.closeSync()
  return Number(reader.getRows()[0]?.[0])
}

const at = column("t", "at")
/** Too long to be repeated, so that the engine's own zones are asked. */
const asked = call("coalesce", call("coalesce", at, at, at, at, at, at, at, at), at)

test.each(
  ["Europe/Paris", "America/Sao_Paulo", "Asia/Kolkata", "Africa/Casablanca"].flatMap((zone) =>
    ["day", "weekSunday", "month", "year", "hour"].map((unit) => [zone, unit]),
  ),
)("in %s every %s starts when the engine's own zones say", async (zone = "", unit = "") => {
  const start = (moment: Expr) => call("startOf", text(unit), moment, text(zone))
  expect(await countDifferences(start(at), start(asked))).toBe(0)
})
