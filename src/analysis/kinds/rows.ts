/** Rows as the query endpoint answers them: arrays in the order of the columns. */
import type { Row } from "../../columnar/engine.ts"
import { parseExact } from "../../lib/exact-json.ts"
import type { JsonValue } from "../../lib/json.ts"
import type { Type } from "../../query/types.ts"

interface ShownColumn {
  /** What the row calls it. */
  readonly key: string
  readonly type: Type
}

export function arrayRows(
  rows: readonly Row[],
  columns: readonly ShownColumn[],
): readonly (readonly JsonValue[])[] {
  return rows.map((row) => columns.map(({ key, type }) => shownValue(row[key], type)))
}

function shownValue(value: unknown, type: Type): JsonValue {
  if (type.kind === "json" && typeof value === "string") return parseExact(value) as JsonValue
  return (value ?? null) as JsonValue
}
