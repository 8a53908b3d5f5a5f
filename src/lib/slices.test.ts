import { expect, test } from "vitest"
import { slicesWithin } from "./slices.ts"

test("slices are as heavy as allowed, hold all in order, and what is too heavy goes alone", () => {
  const slices = slicesWithin([3, 4, 3, 1, 20, 2, 9], 10, (weight) => weight)
  expect([...slices]).toEqual([[3, 4, 3], [1], [20], [2], [9]])
  expect([...slicesWithin([], 10, () => 1)]).toEqual([])
})
