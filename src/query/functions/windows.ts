/** Functions that need a window. Aggregates can have one too. */
import type { Primitive } from "./entry.ts"

export const WINDOW_FUNCTIONS = {
  row_number: { args: 0, meaning: "the number of the row, from 1" },
  rank: { args: 0, meaning: "the rank, with gaps after equals" },
  dense_rank: { args: 0, meaning: "the rank without gaps" },
  first_value: { args: 1, meaning: "the value of the frame's first row" },
  last_value: { args: 1, meaning: "the value of the frame's last row" },
  nth_value: { args: 2, meaning: "the value of the frame's nth row" },
  lag: {
    args: "any",
    meaning: "the value so many rows (1) before; else the third argument or null",
  },
  lead: {
    args: "any",
    meaning: "the value so many rows (1) after; else the third argument or null",
  },
} as const satisfies Record<string, Primitive>
