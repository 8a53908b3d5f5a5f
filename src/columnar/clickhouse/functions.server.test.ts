/** Every semantic function answers on ClickHouse as on DuckDB, of constants and of what rows hold. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { databaseOf, dropDatabase, openEngine } from "../../../test/support/columnar-engine.ts"
import { call, EVENTS, property, table } from "../../query/build.ts"
import { FUNCTIONS, type FunctionName } from "../../query/functions/index.ts"
import type { Expr } from "../../query/tree.ts"
import { append, eventOf, LIMITS, openEngine as openDuck, openFolder } from "../duckdb/testing.ts"
import type { ColumnarEngine } from "../engine.ts"
import { FUNCTION_CASES } from "./function-cases.ts"
import type { Leaf, Typed } from "./function-leaves.ts"

interface Held {
  readonly key: string
  readonly leaf: Leaf
}

/** Leaves of all cases, held as properties of one event. */
const held: Held[] = []
const asConstant = (leaf: Leaf): Expr => leaf.constant
const asProperty = (leaf: Leaf): Expr => {
  const key = `k${held.length}`
  held.push({ key, leaf })
  const read = (as: "text" | "number" | "boolean") =>
    property({ table: EVENTS, of: "event", key }, as)
  switch (leaf.type.kind) {
    case "integer":
      return call("toInteger", read("number"))
    case "float":
      return read("number")
    case "boolean":
      return read("boolean")
    case "moment":
      return { ...call("parseMoment", read("text"), UTC) }
    default:
      return read("text")
  }
}
const UTC: Expr = { kind: "value", value: { type: "text", value: "UTC" } }

const cases = FUNCTION_CASES.map(({ name, build }) => ({
  name,
  constant: build(asConstant),
  property: build(asProperty),
}))

let duck: ColumnarEngine
let house: ColumnarEngine
let place: Awaited<ReturnType<typeof openFolder>>

beforeAll(async () => {
  place = await openFolder()
  duck = await openDuck(place.folder)
  house = await openEngine(place.folder)
  const properties = Object.fromEntries(held.map(({ key, leaf }) => [key, leaf.value]))
  for (const engine of [duck, house])
    await append(engine, 1, { events: [eventOf(1, { properties })] })
})

afterAll(async () => {
  await house.close()
  await duck.close()
  await dropDatabase(databaseOf(place.folder))
  await place[Symbol.asyncDispose]()
})

async function answer(engine: ColumnarEngine, expr: Typed): Promise<unknown> {
  const query = { columns: [{ as: "v", expr: expr.expr }], from: table("events", EVENTS, 1) }
  try {
    const [row] = await engine.rows(query, LIMITS)
    return row?.v
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : error}`
  }
}

const DIGITS = 12

/** The last digits of floats are the libraries' own. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(DIGITS))
  if (Array.isArray(value)) return value.map(rounded)
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]))
  }
  return value
}

describe("the same answer on both engines", () => {
  test.each(cases)("$name", async ({ constant, property: ofRow }) => {
    const expected = rounded(await answer(duck, constant))
    expect(rounded(await answer(house, constant))).toEqual(expected)
    expect(rounded(await answer(house, ofRow))).toEqual(rounded(await answer(duck, ofRow)))
  })

  test("every function has a case", () => {
    const seen = new Set(FUNCTION_CASES.map(({ function: name }) => name))
    const missing = (Object.keys(FUNCTIONS) as FunctionName[]).filter((name) => !seen.has(name))
    expect(missing).toEqual([])
  })
})
