/** What a funnel asks: its schema, and what follows from it before any event is read. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { INTERVALS } from "../../query/date-range.ts"
import { BreakdownSchema } from "../breakdown.ts"
import { QUESTION_FIELDS, type Series, SeriesSchema } from "../series.ts"
import { covers } from "./overlaps.ts"

const STEPS_MAX = 30
const EXCLUSIONS_MAX = 20
const WINDOW_DEFAULT = 14
const WINDOW_MAX = 100_000_000

/** A month is thirty days. */
const UNIT_SECONDS = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
} as const
const UNITS = ["second", "minute", "hour", "day", "week", "month"] as const

const ORDERS = ["ordered", "strict", "unordered"] as const
const VIEWS = ["steps", "time_to_convert", "trends"] as const
export const ATTRIBUTIONS = ["first_touch", "last_touch", "all_events", "step"] as const
const stepIndex = z.number().int()

export const FunnelsQuery = z.object({
  ...QUESTION_FIELDS,
  interval: z.enum(INTERVALS).nullish(),
  funnelsFilter: z
    .object({
      funnelOrderType: z.enum(ORDERS).nullish(),
      funnelVizType: z.enum(VIEWS).nullish(),
      funnelWindowInterval: z.number().int().min(1).max(WINDOW_MAX).nullish(),
      funnelWindowIntervalUnit: z.enum(UNITS).nullish(),
      funnelFromStep: stepIndex.nullish(),
      funnelToStep: stepIndex.nullish(),
      exclusions: z
        .array(SeriesSchema.extend({ funnelFromStep: stepIndex, funnelToStep: stepIndex }))
        .max(EXCLUSIONS_MAX)
        .nullish(),
      binCount: z.number().int().nullish(),
      breakdownAttributionType: z.enum(ATTRIBUTIONS).nullish(),
      breakdownAttributionValue: stepIndex.nullish(),
      funnelAggregateByHogQL: z.string().nullish(),
    })
    .nullish(),
  breakdownFilter: BreakdownSchema.nullish(),
})
export type FunnelsQuery = z.output<typeof FunnelsQuery>

/** Events that spoil an attempt between the step `from` and the step `to`, which count from 0. */
export interface Exclusion {
  readonly series: Series
  readonly from: number
  readonly to: number
}

/** What the answer depends on besides the data, checked. */
export interface Rules {
  readonly steps: readonly Series[]
  readonly order: (typeof ORDERS)[number]
  readonly view: (typeof VIEWS)[number]
  /** From the first step of an attempt to its last, both included. */
  readonly windowSeconds: number
  readonly exclusions: readonly Exclusion[]
  /** Between which steps the time is taken and the rate counted; they count from 0. */
  readonly fromStep: number
  readonly toStep: number
}

export function parseRules({ series, funnelsFilter }: FunnelsQuery): Rules {
  if (series.length > STEPS_MAX) {
    throw invalid(
      `A funnel has at most ${STEPS_MAX} steps, this one has ${series.length}.`,
      "series",
    )
  }
  const order = funnelsFilter?.funnelOrderType ?? "ordered"
  const unit = funnelsFilter?.funnelWindowIntervalUnit ?? "day"
  const view = funnelsFilter?.funnelVizType ?? "steps"
  const windowSeconds = (funnelsFilter?.funnelWindowInterval ?? WINDOW_DEFAULT) * UNIT_SECONDS[unit]
  const exclusions = parseExclusions(series, funnelsFilter?.exclusions ?? [])
  if (order === "unordered") checkUnordered(series, exclusions)
  const span = { fromStep: 0, toStep: series.length - 1 }
  return {
    ...{ steps: series, order, view, windowSeconds, exclusions },
    ...(view === "steps" ? span : parseSpan(series.length, funnelsFilter)),
  }
}

function parseExclusions(
  steps: readonly Series[],
  given: NonNullable<NonNullable<FunnelsQuery["funnelsFilter"]>["exclusions"]>,
): readonly Exclusion[] {
  return given.map(({ funnelFromStep: from, funnelToStep: to, ...series }) => {
    if (from < 0 || from >= to || to > steps.length - 1) {
      throw invalid(
        `An exclusion goes from a step to a later one, from 0 to ${steps.length - 1}: ` +
          `from ${from} to ${to} does not.`,
        "exclusions",
      )
    }
    if (steps.slice(from, to + 1).some((step) => covers(series, step))) {
      throw invalid(
        `"${series.event ?? "any event"}" is a step of the funnel where it is to be excluded.`,
        "exclusions",
      )
    }
    return { series, from, to }
  })
}

function checkUnordered(steps: readonly Series[], exclusions: readonly Exclusion[]): void {
  const isPartial = exclusions.some(({ from, to }) => from !== 0 || to !== steps.length - 1)
  if (isPartial) {
    throw invalid(
      `In a funnel of any order an exclusion goes from the first step (0) to the last (${steps.length - 1}).`,
      "exclusions",
    )
  }
}

function parseSpan(
  count: number,
  filter: FunnelsQuery["funnelsFilter"],
): { readonly fromStep: number; readonly toStep: number } {
  const fromStep = filter?.funnelFromStep ?? 0
  const toStep = filter?.funnelToStep ?? count - 1
  const isEmpty = count === 0
  if (isEmpty || (fromStep >= 0 && fromStep <= toStep && toStep < count)) {
    if (isEmpty || fromStep < toStep || count === 1 || filter?.funnelVizType === "trends") {
      return { fromStep, toStep }
    }
  }
  throw invalid(
    `funnelFromStep (${fromStep}) must come before funnelToStep (${toStep}), both from 0 to ${count - 1}.`,
    "funnelFromStep",
  )
}
