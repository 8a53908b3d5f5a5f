/** All properties of an event as JSON text: the columns and what is left in the rest, put together again. */
import type { PropertyCatalogue, PropertyColumn } from "./catalogue.ts"
import { sqlText } from "./sql-text.ts"

/** An SQL expression of type VARCHAR; never null. */
export function wholePropertiesSql(catalogue: PropertyCatalogue, tableAlias: string): string {
  const members = catalogue
    .list()
    .map((column) => memberSql(column, `${tableAlias}.${column.column}`))
  const rest = `${tableAlias}.properties[2:-2]`
  return `('{' || concat_ws(',', ${[...members, rest].join(", ")}) || '}')`
}

/** Null when the event has no such value: `concat_ws` leaves nulls out. */
function memberSql({ key, type }: PropertyColumn, column: string): string {
  return `${sqlText(`${JSON.stringify(key.toWellFormed())}:`)} || ${valueSql(type, column)}`
}

/** Whole numbers as JavaScript prints them: DuckDB says 1.0 for 1. */
const WHOLE_NUMBER_MAX = "1e15"

function valueSql(type: PropertyColumn["type"], column: string): string {
  if (type === "boolean") return `CAST(${column} AS VARCHAR)`
  const json = `CAST(to_json(${column}) AS VARCHAR)`
  if (type === "text") return json
  const isWhole = `${column} = trunc(${column}) AND abs(${column}) < ${WHOLE_NUMBER_MAX}`
  return `CASE WHEN ${isWhole} THEN CAST(CAST(${column} AS BIGINT) AS VARCHAR) ELSE ${json} END`
}
