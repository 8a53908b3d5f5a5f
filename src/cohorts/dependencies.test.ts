import { describe, expect, test } from "vitest"
import { around, inOrder, isLoop } from "./dependencies.ts"

const cohorts = [
  { id: 1, depends_on: [3] },
  { id: 2, depends_on: [] },
  { id: 3, depends_on: [2] },
  { id: 4, depends_on: [9] },
]
const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)

describe("cohorts of cohorts", () => {
  test("come after those they are made of, and else as they came", () => {
    expect(idsOf(inOrder(cohorts))).toEqual([2, 3, 1, 4])
  })

  test("that a cohort has to do with are what it is made of and what is made of it", () => {
    expect(idsOf(around(3, cohorts))).toEqual([2, 3, 1])
    expect(idsOf(around(1, cohorts))).toEqual([2, 3, 1])
    expect(idsOf(around(4, cohorts))).toEqual([4])
  })

  test("make a loop when one leads back to itself", () => {
    expect(isLoop(2, [1], cohorts)).toBe(true)
    expect(isLoop(2, [2], cohorts)).toBe(true)
    expect(isLoop(1, [3, 2, 4], cohorts)).toBe(false)
  })

  test("that are a loop all the same are each done once", () => {
    const loop = [
      { id: 1, depends_on: [2] },
      { id: 2, depends_on: [1] },
    ]
    expect(idsOf(inOrder(loop)).toSorted()).toEqual([1, 2])
    expect(around(1, loop)).toHaveLength(2)
  })
})
