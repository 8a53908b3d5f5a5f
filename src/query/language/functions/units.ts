/** Units of time as people write them. */
import type { Expr } from "../../tree.ts"
import { INTERVAL_UNITS, type IntervalUnit } from "../ast.ts"
import { constantText, refuse } from "./lowering.ts"

/** Shorter than a day. */
export const SHORT_UNITS: ReadonlySet<IntervalUnit> = new Set(["second", "minute", "hour"])

const SPELLINGS: ReadonlyMap<string, IntervalUnit> = new Map([
  ...INTERVAL_UNITS.flatMap((unit) => [[unit, unit] as const, [`${unit}s`, unit] as const]),
  ["ss", "second"],
  ["s", "second"],
  ["mi", "minute"],
  ["n", "minute"],
  ["hh", "hour"],
  ["h", "hour"],
  ["dd", "day"],
  ["d", "day"],
  ["wk", "week"],
  ["ww", "week"],
  ["mm", "month"],
  ["m", "month"],
  ["qq", "quarter"],
  ["q", "quarter"],
  ["yyyy", "year"],
  ["yy", "year"],
])

export function unitFrom(expr: Expr | undefined): IntervalUnit {
  const written = constantText(expr)
  const unit = written === undefined ? undefined : SPELLINGS.get(written.toLowerCase())
  return unit ?? refuse(`The unit must be a constant text, one of ${INTERVAL_UNITS.join(", ")}.`)
}
