/** A series as answers repeat it. */
import type { JsonObject } from "../lib/json.ts"
import type { Series } from "./series.ts"

export function actionOf(series: Series, order: number): JsonObject {
  const { event, custom_name, math, math_property, math_hogql, math_group_type_index } = series
  return {
    id: event ?? null,
    type: "events",
    order,
    name: eventLabel(series),
    custom_name: custom_name ?? null,
    math: math ?? null,
    math_property: math_property ?? null,
    math_hogql: math_hogql ?? null,
    math_group_type_index: math_group_type_index ?? null,
  }
}

export const eventLabel = ({ event }: Series): string => event ?? "All events"
