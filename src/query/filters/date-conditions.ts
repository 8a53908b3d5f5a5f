/** Comparisons of a property that holds a date with a date the caller wrote. */
import { and, call, eq, gt, gte, lt, lte, or, orFalse, text, timestamp } from "../build.ts"
import { type DateInput, dayOf, parseDateInput } from "../dates.ts"
import type { Expr } from "../tree.ts"
import type { Condition } from "./operators.ts"

export function compileDateCondition({
  stored: given,
  operator,
  values,
  settings,
}: Condition): Expr {
  const { now, timezone } = settings
  const stored = given.moment ?? call("parseMoment", given.text, text(timezone))
  const conditions = values.map((value) => {
    const date = parseDateInput(value, { now, timezone, truncate: false, attr: "properties" })
    if (operator === "is_date_before") return lt(stored, timestamp(date.time))
    if (operator === "is_date_after") return isAfter(stored, date, timezone)
    return isSame(stored, date, timezone)
  })
  return orFalse(or(...conditions))
}

/** After a day is after its end; "-7d" is a moment. */
function isAfter(stored: Expr, date: DateInput, timezone: string): Expr {
  const isDay = !date.hasTime && !date.isRelative
  return gt(stored, timestamp(isDay ? dayOf(date.time, timezone).end : date.time))
}

/** Within the same day, or within the same second when the caller gave a time. */
function isSame(stored: Expr, date: DateInput, timezone: string): Expr {
  if (date.hasTime) {
    const second = date.time.slice(0, "2026-01-02 03:04:05".length)
    return eq(call("truncateSecond", stored), timestamp(second))
  }
  const { start, end } = dayOf(date.time, timezone)
  return and(gte(stored, timestamp(start)), lte(stored, timestamp(end)))
}
