/** How long it takes from one step to another, as a histogram of actors. */
import type { JsonObject } from "../../lib/json.ts"
import { aggregate, call, column, gt, number } from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { ask, type Plan } from "../insight.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, subquery } from "./funnel.ts"
import { secondsBetween } from "./steps-view.ts"

const BEST = "q"
const BINS_MAX = 90
const AUTO_BINS_MAX = 60
const WIDTH_DEFAULT_SECONDS = 60

export function* readTimeToConvert(funnel: Funnel, binCount: number | null): Plan<JsonObject> {
  const seconds = secondsBetween(BEST, funnel.fromStep, funnel.toStep)
  const [span] = yield* ask(
    ofConverted(funnel, [
      { as: "people", expr: aggregate("count") },
      { as: "shortest", expr: aggregate("min", seconds) },
      { as: "longest", expr: aggregate("max", seconds) },
      { as: "average", expr: aggregate("avg", seconds) },
    ]),
  )
  const people = Number(span?.people ?? 0)
  if (people === 0) return { bins: [], average_conversion_time: null }
  const count = countBins(binCount, people)
  const startSeconds = Math.floor(Number(span?.shortest))
  const lengthSeconds = Math.ceil(Number(span?.longest)) - startSeconds
  const widthSeconds = Math.ceil(lengthSeconds / count) || WIDTH_DEFAULT_SECONDS
  const bin = call("floor", quotient(difference(seconds, startSeconds), widthSeconds))
  const rows = yield* ask({
    ...ofConverted(funnel, [
      { as: "bin", expr: bin },
      { as: "people", expr: aggregate("count") },
    ]),
    groupBy: [bin],
  })
  const byBin = new Map(rows.map((row) => [Number(row.bin), Number(row.people)]))
  const bins = Array.from({ length: count + 1 }, (_, index) => [
    startSeconds + index * widthSeconds,
    byBin.get(index) ?? 0,
  ])
  return { bins, average_conversion_time: Number(span?.average) }
}

function countBins(asked: number | null, people: number): number {
  if (asked !== null) return Math.min(Math.max(asked, 1), BINS_MAX)
  return Math.min(Math.max(Math.ceil(Math.cbrt(people)), 1), AUTO_BINS_MAX)
}

function ofConverted(funnel: Funnel, columns: Select["columns"]): Select {
  return {
    columns,
    from: subquery(bestAttempts(funnel, { withMoments: true }), BEST),
    where: gt(column(BEST, "steps"), number(funnel.toStep)),
  }
}

const difference = (left: Expr, right: number): Expr => ({
  kind: "arithmetic",
  operator: "-",
  left,
  right: number(right),
})

const quotient = (left: Expr, right: number): Expr => ({
  kind: "arithmetic",
  operator: "/",
  left,
  right: number(right),
})
