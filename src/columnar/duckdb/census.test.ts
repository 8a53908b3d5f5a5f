import { expect, test } from "vitest"
import { StoredCatalogue } from "./catalogue.ts"
import { Census } from "./census.ts"

const none = new StoredCatalogue([])
const events = (count: number, properties: Record<string, string | number>) =>
  Array.from({ length: count }, () => ({ properties }))

test("among the first thousand events only what is in a third of them gets a column", () => {
  const census = new Census()
  census.observe(events(500, { often: "x" }), none)
  expect(census.listFrequent(none)).toEqual([])
  census.observe(events(400, { seldom: 5 }), none)
  census.observe(events(100, { rare: "y" }), none)
  expect(census.listFrequent(none)).toEqual([
    { key: "often", type: "text" },
    { key: "seldom", type: "number" },
  ])
})

test("later a fiftieth of the latest events is enough, at any moment of the window", () => {
  const census = new Census()
  for (let round = 0; round < 20; round++) {
    census.observe(events(970, {}), none)
    census.observe(events(30, { plan: "pro" }), none)
    if (round >= 10) expect(census.listFrequent(none)).toEqual([{ key: "plan", type: "text" }])
  }
  for (let round = 0; round < 20; round++) census.observe(events(1_000, {}), none)
  expect(census.listFrequent(none)).toEqual([])
})

test("a key with a column of that type is not counted; another type of it is", () => {
  const catalogue = new StoredCatalogue([
    { number: 1, key: "plan", type: "text", column: "p_1", isFilled: false },
  ])
  const census = new Census()
  census.observe(events(1_000, { plan: "pro" }), catalogue)
  expect(census.listFrequent(catalogue)).toEqual([])
  census.observe(events(1_000, { plan: 7 }), catalogue)
  expect(census.listFrequent(catalogue)).toEqual([{ key: "plan", type: "number" }])
})

test("of endless different keys only some thousands are remembered, and long ones not at all", () => {
  const census = new Census()
  const keys = Array.from({ length: 9_000 }, (_, index) => `key ${index}`)
  for (let index = 0; index < keys.length; index += 9) {
    census.observe(
      [{ properties: Object.fromEntries(keys.slice(index, index + 9).map((key) => [key, 1])) }],
      none,
    )
  }
  census.observe(events(1_000, { ["k".repeat(500)]: 1, late: 1 }), none)
  expect(census.listFrequent(none)).toEqual([])
})

test("an event of a sample counts for all it stands for", () => {
  const census = new Census({ weight: 20 })
  census.observe(events(485, {}), none)
  census.observe(events(15, { plan: "pro" }), none)
  expect(census.listFrequent(none)).toEqual([{ key: "plan", type: "text" }])
})
