/**
 * Where a property is read from. Of an event: its columns first, then the JSON text of what has none, which
 * is only parsed where the columns are null, and not read at all where it is known to hold nothing of the key.
 * Of persons and groups: the JSON text.
 */
import type { Expr, PropertyForm } from "../../query/tree.ts"
import type { PropertyColumnType } from "./catalogue.ts"
import { printNumber } from "./functions/conversion.ts"
import { bind, type PrintState, quote, tableWithProperties } from "./printer-state.ts"
import { wholePropertiesSql } from "./whole-properties.ts"

export function printProperty(
  { table, of, key, as }: Extract<Expr, { kind: "property" }>,
  state: PrintState,
): string {
  const name = tableWithProperties(state, table, of)
  const alias = quote(table)
  const columns = of === "event" ? state.catalogue.find(key) : []
  const read = columns.map(({ type, column }) =>
    COLUMN_FORMS[as][type](`${alias}.${quote(column)}`),
  )
  const email = name === "persons" && key === "email" && as === "text" ? [`${alias}."email"`] : []
  // Only as JSON is a null told apart from nothing, and nulls have no columns.
  const isInColumns = of === "event" && as !== "json" && state.catalogue.isComplete(key)
  const json = isInColumns
    ? []
    : [JSON_FORMS[as](`${alias}."properties"`, bind(state.params, pathOf(key)))]
  const places = [...read, ...email, ...json].filter((place) => place !== undefined)
  if (places.length === 0) return NOTHING[as]
  return places.length === 1 ? `${places[0]}` : `COALESCE(${places.join(", ")})`
}

export function printProperties(
  { table, of }: Extract<Expr, { kind: "properties" }>,
  state: PrintState,
): string {
  tableWithProperties(state, table, of)
  return of === "event"
    ? wholePropertiesSql(state.catalogue, quote(table))
    : `${quote(table)}."properties"`
}

/** Of a key whose columns can not have the form, such as a number of booleans. */
const NOTHING: Readonly<Record<PropertyForm, string>> = {
  text: "CAST(NULL AS VARCHAR)",
  number: "CAST(NULL AS DOUBLE)",
  boolean: "CAST(NULL AS BOOLEAN)",
  json: "CAST(NULL AS VARCHAR)",
}

type Print = (column: string) => string | undefined

/** How each form is had from each type of column; undefined where the type can not have it. */
const COLUMN_FORMS: Readonly<Record<PropertyForm, Readonly<Record<PropertyColumnType, Print>>>> = {
  text: {
    text: (column) => column,
    number: printNumberText,
    boolean: (column) => `CAST(${column} AS VARCHAR)`,
  },
  number: {
    text: printNumber,
    number: (column) => column,
    boolean: () => undefined,
  },
  boolean: {
    text: printBoolean,
    number: () => undefined,
    boolean: (column) => column,
  },
  json: {
    text: (column) => `CAST(to_json(${column}) AS VARCHAR)`,
    number: printNumberText,
    boolean: (column) => `CAST(${column} AS VARCHAR)`,
  },
}

const JSON_FORMS: Readonly<Record<PropertyForm, (json: string, path: string) => string>> = {
  text: (json, path) => `json_extract_string(${json}, ${path})`,
  number: (json, path) => printNumber(`json_extract_string(${json}, ${path})`),
  boolean: (json, path) => printBoolean(`json_extract_string(${json}, ${path})`),
  json: (json, path) => `CAST(json_extract(${json}, ${path}) AS VARCHAR)`,
}

/** A JSON pointer: unlike a dollar path it can say every key, wildcards and the empty one included. */
function pathOf(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
}

const WHOLE_NUMBER_MAX = "1e15"

/** As JSON writes it: DuckDB says 1.0 for 1. */
function printNumberText(column: string): string {
  const isWhole = `${column} = trunc(${column}) AND abs(${column}) < ${WHOLE_NUMBER_MAX}`
  const whole = `CAST(CAST(${column} AS BIGINT) AS VARCHAR)`
  return `CASE WHEN ${isWhole} THEN ${whole} ELSE CAST(to_json(${column}) AS VARCHAR) END`
}

function printBoolean(text: string): string {
  return `CASE ${text} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`
}
