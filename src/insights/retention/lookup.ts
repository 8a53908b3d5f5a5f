/** The person lookup of retention: one row. */
import type { JsonObject } from "../../lib/json.ts"
import { commonQuestion, numberOf, parseParameters } from "../lookup.ts"
import {
  type Retention,
  RetentionSchema,
  RetentionSelection,
  type SelectedRow,
} from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: Retention
  readonly selected: SelectedRow
} {
  const { retention_type, period, target_entity, returning_entity } = parameters
  const question = {
    ...commonQuestion(parameters),
    // The old lists of entities say nothing here.
    series: [],
    retentionFilter: {
      retentionType: retention_type ?? null,
      period: period ?? null,
      totalIntervals: numberOf(parameters.total_intervals),
      targetEntity: target_entity ?? null,
      returningEntity: returning_entity ?? null,
    },
  }
  return {
    asked: parseParameters(RetentionSchema, question, {
      retentionType: "retention_type",
      period: "period",
      totalIntervals: "total_intervals",
      targetEntity: "target_entity",
      returningEntity: "returning_entity",
    }),
    selected: parseParameters(
      RetentionSelection,
      { interval: numberOf(parameters.selected_interval) },
      { interval: "selected_interval" },
    ),
  }
}
