/** Every shape of query answers on ClickHouse as on DuckDB. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { databaseOf, dropDatabase, openEngine } from "../../../test/support/columnar-engine.ts"
import {
  append,
  eventOf,
  LIMITS,
  openEngine as openDuck,
  openFolder,
  personOf,
  uuidOf,
} from "../duckdb/testing.ts"
import type { ColumnarEngine } from "../engine.ts"
import { QUERY_CASES } from "./query-cases.ts"

let duck: ColumnarEngine
let house: ColumnarEngine
let place: Awaited<ReturnType<typeof openFolder>>

const DATA = [
  { k: "a", n: 1, v: "x", list: "p,q,r" },
  { k: "a", n: 5, v: 12, list: "p" },
  { k: "b", n: 3, v: -2.5, odd: "'\\ \"{p1:String}\u0000\n\t🦔%_" },
  { v: true },
  { k: "c", n: 3, v: null },
  { k: null, n: null, v: { a: [1, "ü"], "b/c": null } },
  { k: "", n: "7", v: "" },
  { v: "true", n: 0 },
]

beforeAll(async () => {
  place = await openFolder()
  duck = await openDuck(place.folder)
  house = await openEngine(place.folder)
  const rows = {
    events: DATA.map((data, index) =>
      eventOf(index + 1, {
        properties: data,
        event: ["view", "click", "view"][index % 3] ?? "",
        person_id: uuidOf(900 + (index % 4)),
        timestamp: `2026-01-0${1 + (index % 5)} 03:04:05.${String(index).padStart(6, "0")}`,
      }),
    ).concat(eventOf(99, { project_id: 2 })),
    persons: [
      personOf(901, { is_identified: true, properties: { email: "a@example.com", n: 1.5 } }),
      personOf(902),
    ],
    overrides: [{ project_id: 1, old_person_id: uuidOf(903), person_id: uuidOf(901) }],
  }
  for (const engine of [duck, house]) await append(engine, 1, rows)
})

afterAll(async () => {
  await house.close()
  await duck.close()
  await dropDatabase(databaseOf(place.folder))
  await place[Symbol.asyncDispose]()
})

const DIGITS = 12

function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(DIGITS))
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value === "string" && value.startsWith("{")) return sortKeys(JSON.parse(value))
  return value
}

const sortKeys = (value: unknown): unknown => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows of a union come in any order of its queries. */
const inText = (rows: readonly object[]) =>
  rows.map((row) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rounded(value)])),
    ),
  )

test.each(Object.entries(QUERY_CASES))("%s", async (_name, query) => {
  const expected = inText(await duck.rows(query, LIMITS))
  const found = inText(await house.rows(query, LIMITS))
  expect(expected.length).toBeGreaterThan(0)
  if (query.kind === "union") expect(found.toSorted()).toEqual(expected.toSorted())
  else expect(found).toEqual(expected)
})
