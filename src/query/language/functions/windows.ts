/** Functions that need OVER. */
import type { WindowFunctionName } from "../../functions/index.ts"
import { defineGroup } from "./define.ts"
import type { CallParts } from "./function.ts"
import type { Lower } from "./lowering.ts"

const overRows =
  (name: WindowFunctionName): Lower =>
  ({ args }: CallParts) => ({
    kind: "window",
    of: { kind: "windowCall", name, args },
    partitionBy: [],
    orderBy: [],
  })

const lag = {
  signature: "(T, integer?, T?) -> T?",
  meaning: "The value so many rows (1) before in the partition, else the third argument or null.",
  lower: overRows("lag"),
}
const lead = {
  signature: "(T, integer?, T?) -> T?",
  meaning: "The value so many rows (1) after in the partition, else the third argument or null.",
  lower: overRows("lead"),
}

export const WINDOWS = defineGroup(
  { group: "Windows", kind: "window" },
  {
    row_number: {
      signature: "() -> integer",
      meaning: "The number of the row in its partition, from 1.",
      example: ["row_number() OVER (ORDER BY 1)", 1],
      lower: overRows("row_number"),
    },
    rank: {
      signature: "() -> integer",
      meaning: "The rank in the order of the window, with gaps after equals.",
      lower: overRows("rank"),
    },
    dense_rank: {
      signature: "() -> integer",
      meaning: "The rank in the order of the window, without gaps.",
      lower: overRows("dense_rank"),
    },
    first_value: {
      signature: "(T) -> T?",
      meaning: "The value of the first row of the frame.",
      lower: overRows("first_value"),
    },
    last_value: {
      signature: "(T) -> T?",
      meaning: "The value of the last row of the frame.",
      lower: overRows("last_value"),
    },
    nth_value: {
      signature: "(T, integer) -> T?",
      meaning: "The value of the nth row of the frame.",
      lower: overRows("nth_value"),
    },
    lag,
    lagInFrame: lag,
    lead,
    leadInFrame: lead,
  },
)
