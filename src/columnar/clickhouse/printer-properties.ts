/** Where a property is read from: a map of texts, in which a string begins with a quote (see the schema). */
import type { Expr, PropertyForm } from "../../query/tree.ts"
import { jsonString, printNumber } from "./functions/spelling.ts"
import { checkProperties, type PrintState, printText, sourceName } from "./printer-state.ts"

export function printProperty(
  { table, of, key, as }: Extract<Expr, { kind: "property" }>,
  state: PrintState,
): string {
  checkProperties(state, table, of)
  return FORMS[as](`${sourceName(table)}."properties"[${printText(state.params, key)}]`)
}

/** What is not there is the empty text, which no value is stored as. */
const FORMS: Readonly<Record<PropertyForm, (stored: string) => string>> = {
  text: textOf,
  number: (stored) => printNumber(textOf(stored)),
  boolean: (stored) =>
    `multiIf(${stored} IN ('true', '"true'), true, ${stored} IN ('false', '"false'), false, NULL)`,
  json: (stored) => `multiIf(${stored} = '', NULL, ${jsonOf(stored)})`,
}

function textOf(stored: string): string {
  return `multiIf(${stored} IN ('', 'null'), NULL, startsWith(${stored}, '"'), substring(${stored}, 2), ${stored})`
}

function jsonOf(stored: string): string {
  return `if(startsWith(${stored}, '"'), ${jsonString(`substring(${stored}, 2)`)}, ${stored})`
}

export function printProperties(
  { table, of }: Extract<Expr, { kind: "properties" }>,
  state: PrintState,
): string {
  checkProperties(state, table, of)
  const name = sourceName(table)
  const map = `${name}."properties"`
  const members = `arrayMap((k, v) -> concat(${jsonString("k")}, ':', ${jsonOf("v")}), mapKeys(${map}), mapValues(${map}))`
  const whole = `concat('{', arrayStringConcat(${members}, ','), '}')`
  // A map is never null, not even where a join found no row.
  return state.optional.has(table) ? `if(isNull(${name}."project_id"), NULL, ${whole})` : whole
}
