/** The person lookup of stickiness: a series, and in how many intervals. */
import { invalid } from "../../lib/errors.ts"
import type { JsonObject } from "../../lib/json.ts"
import {
  commonQuestion,
  isGiven,
  numberOf,
  parseParameters,
  selectEntity,
  truthOf,
} from "../lookup.ts"
import {
  type SelectedDays,
  type Stickiness,
  StickinessSchema,
  StickinessSelection,
} from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: Stickiness
  readonly selected: SelectedDays
} {
  const { stickiness_days, selected_interval, interval, compare } = parameters
  const { series, selected } = selectEntity(parameters)
  const days = isGiven(stickiness_days) ? stickiness_days : selected_interval
  if (!isGiven(days)) {
    throw invalid(
      "In how many intervals? Give stickiness_days, such as 1.",
      "stickiness_days",
      "required",
    )
  }
  const question = {
    ...commonQuestion(parameters),
    series: [...series],
    interval: interval ?? null,
    stickinessFilter: { compare: truthOf(compare) },
  }
  return {
    asked: parseParameters(StickinessSchema, question),
    selected: parseParameters(
      StickinessSelection,
      { day: numberOf(days), series: selected },
      { day: "stickiness_days" },
    ),
  }
}
