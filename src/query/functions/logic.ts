/** Nulls and choices. */
import type { Primitive } from "./entry.ts"

export const LOGIC = {
  coalesce: { args: "any", meaning: "the first argument that is not null" },
  isSame: {
    args: 2,
    meaning: "whether both are equal, null being equal to null alone; never null",
  },
  least: { args: "any", meaning: "the smallest argument that is not null" },
  greatest: { args: "any", meaning: "the largest argument that is not null" },
} as const satisfies Record<string, Primitive>
