/** The person lookup of trends: the range is that of the clicked bucket. */
import { invalid } from "../../lib/errors.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import {
  commonQuestion,
  isGiven,
  numberOf,
  parseParameters,
  selectEntity,
  truthOf,
} from "../lookup.ts"
import { TrendsSelection } from "./actors.ts"
import { TrendsQuery } from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: TrendsQuery
  readonly selected: TrendsSelection
} {
  const { series, selected } = selectEntity(parameters)
  const question = {
    ...commonQuestion(parameters),
    series: [...series],
    interval: parameters.interval ?? null,
    trendsFilter: { display: parameters.display ?? null },
    breakdownFilter: breakdownOf(parameters),
  }
  const value = parameters.breakdown_value
  return {
    asked: parseParameters(TrendsQuery, question),
    selected: parseParameters(
      TrendsSelection,
      { series: selected, breakdown: isGiven(value) ? value : null },
      { breakdown: "breakdown_value" },
    ),
  }
}

function breakdownOf(parameters: JsonObject): JsonObject {
  const { breakdown, breakdowns, breakdown_type } = parameters
  const isOf = (value: JsonValue | undefined) => (isGiven(value) ? value : null)
  if (isGiven(parameters.breakdown_value) && !isGiven(breakdown) && !isGiven(breakdowns)) {
    throw invalid(
      "breakdown_value needs the breakdown that it is a value of.",
      "breakdown",
      "required",
    )
  }
  return {
    breakdown: isOf(breakdown),
    breakdowns: isOf(breakdowns),
    breakdown_type: isOf(breakdown_type),
    breakdown_limit: numberOf(parameters.breakdown_limit),
    breakdown_histogram_bin_count: numberOf(parameters.breakdown_histogram_bin_count),
    breakdown_normalize_url: truthOf(parameters.breakdown_normalize_url),
    breakdown_group_type_index: numberOf(parameters.breakdown_group_type_index),
  }
}
