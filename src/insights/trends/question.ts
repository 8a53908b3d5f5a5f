/** What a trend asks: its schema, and what follows from it before any number is read. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { type DateRange, INTERVALS, previousRange, shiftedRange } from "../../query/date-range.ts"
import { findRange } from "../asked-range.ts"
import { type Breakdown, BreakdownSchema, parseBreakdown } from "../breakdown.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { QUESTION_FIELDS, type Series } from "../series.ts"
import { type Formula, parseFormula } from "./formula.ts"

/** Displays of one number for the whole range, and the others, which show one for each interval. */
const TOTAL_DISPLAYS = [
  "BoldNumber",
  "ActionsPie",
  "ActionsBarValue",
  "ActionsTable",
  "WorldMap",
] as const
const DISPLAYS = [
  "ActionsLineGraph",
  "ActionsAreaGraph",
  "ActionsBar",
  "ActionsStackedBar",
  "ActionsUnstackedBar",
  "ActionsLineGraphCumulative",
  ...TOTAL_DISPLAYS,
] as const

const SMOOTHING_MAX = 1_000
const FORMULAS_MAX = 50
const VALUES_DEFAULT = 25
const COUNTRIES_DEFAULT = 300

const formulaText = z.string()

export const TrendsQuery = z.object({
  ...QUESTION_FIELDS,
  interval: z.enum(INTERVALS).nullish(),
  trendsFilter: z
    .object({
      display: z.enum(DISPLAYS).nullish(),
      formula: formulaText.nullish(),
      formulas: z.array(formulaText).max(FORMULAS_MAX).nullish(),
      formulaNodes: z
        .array(z.object({ formula: formulaText, custom_name: z.string().nullish() }))
        .max(FORMULAS_MAX)
        .nullish(),
      compare: z.boolean().nullish(),
      smoothingIntervals: z.number().int().min(1).max(SMOOTHING_MAX).nullish(),
    })
    .nullish(),
  breakdownFilter: BreakdownSchema.nullish(),
  compareFilter: z
    .object({ compare: z.boolean().nullish(), compare_to: z.string().nullish() })
    .nullish(),
})
export type TrendsQuery = z.output<typeof TrendsQuery>

export interface Period {
  /** Only where periods are compared. */
  readonly label?: "current" | "previous"
  readonly range: DateRange
}

export interface Trends {
  readonly asked: TrendsQuery
  readonly series: readonly Series[]
  readonly shows: "buckets" | "cumulative" | "total"
  readonly smoothingIntervals: number
  readonly formulas: readonly NamedFormula[]
  readonly breakdown: Breakdown | undefined
  readonly valuesMax: number
  readonly hidesOther: boolean
  readonly periods: readonly Period[]
}

export interface NamedFormula {
  readonly label: string
  readonly formula: Formula
}

export function* parseTrends(asked: TrendsQuery, context: InsightContext): Plan<Trends> {
  const { trendsFilter, breakdownFilter, series } = asked
  const display = trendsFilter?.display ?? "ActionsLineGraph"
  const isTotal = TOTAL_DISPLAYS.some((each) => each === display)
  const isCumulative = display === "ActionsLineGraphCumulative"
  const defaultMax = display === "WorldMap" ? COUNTRIES_DEFAULT : VALUES_DEFAULT
  return {
    asked,
    series,
    shows: isTotal ? "total" : isCumulative ? "cumulative" : "buckets",
    smoothingIntervals: trendsFilter?.smoothingIntervals ?? 1,
    formulas: parseFormulas(asked),
    breakdown: parseBreakdown(breakdownFilter),
    valuesMax: breakdownFilter?.breakdown_limit ?? defaultMax,
    hidesOther: breakdownFilter?.breakdown_hide_other_aggregation === true,
    periods: yield* listPeriods(asked, { context, isTotal }),
  }
}

/** One range, or two that are compared. Totals have no use for intervals, and count whole days. */
function* listPeriods(
  { dateRange, interval, trendsFilter, compareFilter }: TrendsQuery,
  { context, isTotal }: { context: InsightContext; isTotal: boolean },
): Plan<readonly Period[]> {
  const { date_from, date_to } = dateRange ?? {}
  const input = { date_from, date_to, interval: isTotal ? "day" : (interval ?? "day") } as const
  const range = yield* findRange({ dateRange, interval: input.interval }, context)
  const isCompared = compareFilter?.compare === true || trendsFilter?.compare === true
  if (!isCompared || date_from === "all") return [{ range }]
  const compareTo = compareFilter?.compare_to
  const previous =
    typeof compareTo === "string" && compareTo !== ""
      ? shiftedRange(range, compareTo)
      : previousRange(range, input)
  return [
    { label: "current", range },
    { label: "previous", range: previous },
  ]
}

function parseFormulas({ trendsFilter, series }: TrendsQuery): readonly NamedFormula[] {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {}
  const listed = [
    ...(formulaNodes ?? []),
    ...(formulas ?? []).map((each) => ({ formula: each, custom_name: null })),
    ...(typeof formula === "string" ? [{ formula, custom_name: null }] : []),
  ].filter((each) => each.formula.trim() !== "")
  if (listed.length > 0 && series.length === 0) {
    throw invalid("A formula needs series to reckon with.", "formula")
  }
  return listed.map((each) => ({
    label: each.custom_name ?? `Formula (${each.formula})`,
    formula: parseFormula(each.formula, series.length),
  }))
}
