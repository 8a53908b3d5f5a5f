/** The person lookup of lifecycles: a day and a status. */
import { invalid } from "../../lib/errors.ts"
import type { JsonObject } from "../../lib/json.ts"
import { commonQuestion, isGiven, parseParameters, selectEntity } from "../lookup.ts"
import {
  type Lifecycle,
  LifecycleSchema,
  LifecycleSelection,
  type SelectedStatus,
} from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: Lifecycle
  readonly selected: SelectedStatus
} {
  const { target_date, lifecycle_type, interval } = parameters
  if (!isGiven(target_date)) {
    throw invalid("Must include specified date: give target_date.", "target_date", "required")
  }
  if (!isGiven(lifecycle_type)) {
    throw invalid("Must include lifecycle type: give lifecycle_type.", "lifecycle_type", "required")
  }
  const question = { ...commonQuestion(parameters), interval: interval ?? null }
  const series = isGiven(parameters.entity_id) ? { series: chosenSeries(parameters) } : {}
  return {
    asked: parseParameters(LifecycleSchema, { ...question, ...series }),
    selected: parseParameters(
      LifecycleSelection,
      { day: target_date, status: lifecycle_type },
      { day: "target_date", status: "lifecycle_type" },
    ),
  }
}

function chosenSeries(parameters: JsonObject) {
  const { series, selected } = selectEntity(parameters)
  return series.slice(selected, selected + 1)
}
