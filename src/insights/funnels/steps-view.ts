/** How many take each step, and how long it takes them. */
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { aggregate, aggregateIf, asc, call, column, desc, gte, number } from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { type AnswerRow, ask, type Plan } from "../insight.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, stepName, subquery } from "./funnel.ts"
import type { ShownValues } from "./labels.ts"
import { valueNames } from "./step-events.ts"

const BEST = "q"

/** The numbers of all steps, for one value where there is a breakdown. */
interface StepNumbers {
  readonly counts: readonly number[]
  /** Seconds since the step before; null at the first, and where nobody took the step. */
  readonly averages: readonly (number | null)[]
  readonly medians: readonly (number | null)[]
  readonly values: readonly string[]
}

/** The most frequent values first, all others in the last row. */
export function* readSteps(funnel: Funnel): Plan<readonly StepNumbers[]> {
  const { read, shown } = yield* readFirst(funnel)
  if (shown === undefined) return read
  const again = yield* ask(countSteps(funnel, shown))
  const isOther = (row: AnswerRow) => row.is_other === true || row.is_other === 1
  return [
    ...again.filter((row) => !isOther(row)).map((row) => numbersOf(row, funnel)),
    ...(funnel.breakdown?.hidesOther === true ? [] : again.filter(isOther)).map((row) => ({
      ...numbersOf(row, funnel),
      values: [OTHER],
    })),
  ]
}

/** What stands for all values past the limit. */
export const OTHER = "Other"

/** The values that are shown where there are more; undefined where all are. */
export function* findShownValues(funnel: Funnel): Plan<ShownValues | undefined> {
  return (yield* readFirst(funnel)).shown
}

function* readFirst(funnel: Funnel): Plan<{
  readonly read: readonly StepNumbers[]
  readonly shown: ShownValues | undefined
}> {
  const { breakdown } = funnel
  const limit = (breakdown?.limit ?? 1) + 1
  const rows = yield* ask({ ...countSteps(funnel), limit })
  const read = rows.map((row) => numbersOf(row, funnel))
  if (breakdown === undefined || rows.length < limit) return { read, shown: undefined }
  return { read, shown: read.slice(0, breakdown.limit).map(({ values }) => values) }
}

function countSteps(funnel: Funnel, shown?: ShownValues): Select {
  const best = bestAttempts(funnel, { withMoments: funnel.steps.length > 1, shown })
  const keys = [...valueNames(funnel), ...(shown === undefined ? [] : ["is_other"])]
  const taken = (index: number) => gte(column(BEST, "steps"), number(index + 1))
  const counts = funnel.steps.map((_, index) => ({
    as: `count_${index}`,
    expr: aggregateIf(aggregate("count"), taken(index)),
  }))
  const times = funnel.steps.slice(1).flatMap((_, index) => {
    const seconds = secondsBetween(BEST, index, index + 1)
    const median = { ...aggregate("quantile", seconds), params: [0.5] }
    return [
      {
        as: `average_${index + 1}`,
        expr: aggregateIf(aggregate("avg", seconds), taken(index + 1)),
      },
      { as: `median_${index + 1}`, expr: aggregateIf(median, taken(index + 1)) },
    ]
  })
  const keyColumns = keys.map((name) => ({ as: name, expr: column(BEST, name) }))
  return {
    columns: [...keyColumns, ...counts, ...times],
    from: subquery(best, BEST),
    ...(keys.length === 0
      ? {}
      : {
          groupBy: keyColumns.map(({ expr }) => expr),
          orderBy: [
            desc(aggregateIf(aggregate("count"), taken(0))),
            ...keyColumns.map(({ expr }) => asc(expr)),
          ],
        }),
  }
}

export const secondsBetween = (source: string, from: number, to: number): Expr =>
  call("diffSeconds", column(source, stepName(from)), column(source, stepName(to)))

function numbersOf(row: AnswerRow, funnel: Funnel): StepNumbers {
  const time = (name: string) => (typeof row[name] === "number" ? row[name] : null)
  return {
    counts: funnel.steps.map((_, index) => Number(row[`count_${index}`] ?? 0)),
    averages: funnel.steps.map((_, index) => time(`average_${index}`)),
    medians: funnel.steps.map((_, index) => time(`median_${index}`)),
    values: valueNames(funnel).map((name) => String(row[name] ?? "")),
  }
}

/** What the rows of a part of the answer say they are broken down by. */
export interface ShownBreakdown {
  readonly breakdown: JsonValue
  readonly breakdown_value: JsonValue
}

export function shownSteps(
  funnel: Funnel,
  numbers: StepNumbers,
  { broken, urlOf }: { broken?: ShownBreakdown; urlOf: (step: number) => string },
): readonly JsonObject[] {
  const isUnordered = funnel.order === "unordered"
  return funnel.steps.map((step, index) => ({
    action_id: isUnordered ? null : (step.event ?? null),
    name: isUnordered ? completedName(index + 1) : (step.name ?? step.event ?? null),
    custom_name: isUnordered ? null : (step.custom_name ?? null),
    order: index,
    people: [],
    count: numbers.counts[index] ?? 0,
    type: "events",
    average_conversion_time: numbers.averages[index] ?? null,
    median_conversion_time: numbers.medians[index] ?? null,
    converted_people_url: urlOf(index + 1),
    dropped_people_url: index === 0 ? null : urlOf(-index - 1),
    ...broken,
  }))
}

const completedName = (count: number): string => `Completed ${count} step${count === 1 ? "" : "s"}`
