/** The person lookup of funnels, in the old parameters. */
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { isJsonObject } from "../../lib/json.ts"
import { commonQuestion, isGiven, numberOf, parseParameters, truthOf } from "../lookup.ts"
import { FunnelSelection } from "./actors.ts"
import { FunnelsQuery } from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: FunnelsQuery
  readonly selected: FunnelSelection
} {
  return {
    asked: parseLookupQuestion(parameters),
    selected: parseParameters(
      FunnelSelection,
      {
        funnelStep: numberOf(parameters.funnel_step),
        funnelCustomSteps: listOf(parameters.funnel_custom_steps).map(numberOf),
        ...(isGiven(parameters.funnel_custom_steps) ? {} : { funnelCustomSteps: null }),
        funnelStepBreakdown: parameters.funnel_step_breakdown ?? null,
        funnelTrendsDropOff: truthOf(parameters.drop_off),
        funnelTrendsEntrancePeriodStart: parameters.entrance_period_start ?? null,
      },
      {
        funnelStep: "funnel_step",
        funnelCustomSteps: "funnel_custom_steps",
        funnelTrendsDropOff: "drop_off",
        funnelTrendsEntrancePeriodStart: "entrance_period_start",
      },
    ),
  }
}

/** The funnel that the parameters describe; links of answers give it whole, as `query`. */
export function parseLookupQuestion(parameters: JsonObject): FunnelsQuery {
  if (isJsonObject(parameters.query)) return parseParameters(FunnelsQuery, parameters.query)
  const days = numberOf(parameters.funnel_window_days)
  const question = {
    ...commonQuestion(parameters),
    interval: parameters.interval ?? null,
    funnelsFilter: {
      funnelOrderType: parameters.funnel_order_type ?? null,
      funnelVizType: parameters.funnel_viz_type ?? null,
      funnelWindowInterval: days ?? numberOf(parameters.funnel_window_interval),
      funnelWindowIntervalUnit:
        days === null ? (parameters.funnel_window_interval_unit ?? null) : "day",
      funnelFromStep: numberOf(parameters.funnel_from_step),
      funnelToStep: numberOf(parameters.funnel_to_step),
      exclusions: listOf(parameters.exclusions).map(exclusionOf),
      binCount: parameters.bin_count === "auto" ? null : numberOf(parameters.bin_count),
      breakdownAttributionType: parameters.breakdown_attribution_type ?? null,
      breakdownAttributionValue: numberOf(parameters.breakdown_attribution_value),
      funnelAggregateByHogQL: parameters.funnel_aggregate_by_hogql ?? null,
    },
    breakdownFilter: {
      breakdown: parameters.breakdown ?? null,
      breakdown_type: parameters.breakdown_type ?? null,
      breakdowns: parameters.breakdowns ?? null,
      breakdown_limit: numberOf(parameters.breakdown_limit),
      breakdown_group_type_index: numberOf(parameters.breakdown_group_type_index),
    },
  }
  return parseParameters(FunnelsQuery, question, NAMES)
}

const NAMES = {
  funnelOrderType: "funnel_order_type",
  funnelVizType: "funnel_viz_type",
  funnelWindowInterval: "funnel_window_interval",
  funnelWindowIntervalUnit: "funnel_window_interval_unit",
  funnelFromStep: "funnel_from_step",
  funnelToStep: "funnel_to_step",
  exclusions: "exclusions",
  binCount: "bin_count",
  breakdownAttributionType: "breakdown_attribution_type",
  breakdownAttributionValue: "breakdown_attribution_value",
  funnelAggregateByHogQL: "funnel_aggregate_by_hogql",
} as const

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : isGiven(value) ? [value] : []

function exclusionOf(exclusion: JsonValue): JsonValue {
  if (!isJsonObject(exclusion)) return exclusion
  const { id, event, funnel_from_step, funnel_to_step } = exclusion
  return {
    ...exclusion,
    kind: exclusion.type === "actions" ? "ActionsNode" : "EventsNode",
    event: event ?? id ?? null,
    funnelFromStep: numberOf(funnel_from_step ?? exclusion.funnelFromStep),
    funnelToStep: numberOf(funnel_to_step ?? exclusion.funnelToStep),
  }
}
