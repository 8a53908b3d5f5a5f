import { expect, test } from "vitest"
import type { JsonObject } from "../lib/json.ts"
import { mergeGroup } from "./merge.ts"

const group = { project_id: 1, group_type_index: 0, group_key: "acme" }
const stored = (properties: JsonObject) => ({
  ...{ ...group, version: 4, created_at: "2026-01-01 00:00:00.000000", properties },
})
const update = (properties: JsonObject) => ({
  ...{ ...group, created_at: "2026-01-02 00:00:00.000000", properties },
})
const big = "x".repeat(300 * 1024)
const warning = {
  project_id: 1,
  type: "group_properties_size_violation",
  details: { group_type_index: 0, group_key: "acme" },
}

test("a new group begins with what is set", () => {
  const first = update({ plan: "pro" })
  expect(mergeGroup(undefined, first)).toEqual({ row: { ...first, version: 1 } })
})

test("a known group keeps its beginning and what is not set", () => {
  expect(mergeGroup(stored({ a: 1, b: 1 }), update({ b: 2 }))).toEqual({
    row: { ...stored({ a: 1, b: 2 }), version: 5 },
  })
})

test("a group that would become too large stays as it is, with a warning", () => {
  expect(mergeGroup(stored({ a: big }), update({ b: big }))).toEqual({ warning })
  expect(mergeGroup(undefined, update({ a: big, b: big }))).toEqual({ warning })
})

test("a group that is too large may shrink, but not change otherwise", () => {
  const large = stored({ a: big, b: big, c: 1 })
  expect(mergeGroup(large, update({ c: 2 }))).toEqual({ warning })
  expect(mergeGroup(large, update({ b: 1 }))).toMatchObject({ row: { properties: { b: 1 } } })
})
