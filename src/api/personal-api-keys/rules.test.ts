import { describe, expect, test } from "vitest"
import { findExcess, NO_LIMITS } from "./rules.ts"

const [A, B] = ["018e0000-0000-7000-8000-00000000000a", "018e0000-0000-7000-8000-00000000000b"]

function limits(scoped_organizations: string[], scoped_teams: number[] = []) {
  return { scoped_organizations, scoped_teams }
}

describe("the limits of a new key", () => {
  test.each([
    ["a session sets any", null, NO_LIMITS, undefined],
    ["an unlimited key sets any", NO_LIMITS, limits([A], [1]), undefined],
    ["the same are fine", limits([A], [1]), limits([A], [1]), undefined],
    ["narrower ones are fine", limits([A, B]), limits([B], [1]), undefined],
    ["no organizations are too many", limits([A]), NO_LIMITS, "scoped_organizations"],
    ["another organization is too many", limits([A]), limits([A, B]), "scoped_organizations"],
    ["projects alone are too many", limits([A]), limits([], [1]), "scoped_organizations"],
    ["no projects are too many", limits([], [1, 2]), NO_LIMITS, "scoped_teams"],
    ["another project is too many", limits([], [1, 2]), limits([], [2, 3]), "scoped_teams"],
    ["organizations alone are too many", limits([], [1]), limits([A]), "scoped_teams"],
  ] as const)("stay inside its maker's: %s", (_rule, maker, wanted, excess) => {
    expect(findExcess(maker, wanted)).toBe(excess)
  })
})
