/** A question in the query language. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { and, column, EVENTS, gte, lte, timestamp } from "../../query/build.ts"
import { dayOf, parseDateInput } from "../../query/dates.ts"
import { compileFilters } from "../../query/filters/compile.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import { compileQuery, type LanguageContext, typeName } from "../../query/language/compile.ts"
import type { Expr } from "../../query/tree.ts"
import { askRows, contextFor, type Desk, languageContext } from "../desk.ts"
import { type Kind, parseAsked } from "./kind.ts"
import { arrayRows } from "./rows.ts"

const object = z.custom<JsonObject>((value) => typeof value === "object" && value !== null)

const LanguageFilters = z.object({
  properties: z.unknown().optional(),
  dateRange: z.object({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  filterTestAccounts: z.boolean().nullish(),
})

const LanguageQuery = z.object({
  query: z.string(),
  values: object.nullish(),
  filters: LanguageFilters.nullish(),
})

/** How many rows a text without a LIMIT answers. */
export const ROWS_DEFAULT = 100
export const ROWS_MAX = 50_000

export const languageQuery: Kind = {
  names: ["HogQLQuery", "QLQuery"],

  async answer(asked, desk) {
    const { query: text } = parseAsked(LanguageQuery, asked)
    const compiled = compileQuery(text, await languageContextFor(asked, desk))
    const rows = await askRows(desk, compiled.query)
    const isOpen = compiled.limit === undefined
    const shown = isOpen ? rows.slice(0, ROWS_DEFAULT) : rows
    return {
      query: text,
      hogql: compiled.text,
      clickhouse: null,
      columns: compiled.columns.map(({ name }) => name),
      types: compiled.columns.map(({ name, type }) => [name, typeName(type)]),
      results: arrayRows(shown, compiled.columns),
      ...(isOpen
        ? { hasMore: rows.length > ROWS_DEFAULT, limit: ROWS_DEFAULT, offset: compiled.offset ?? 0 }
        : {}),
      modifiers: {},
      error: null,
      metadata: null,
    }
  },
}

/** With the values of placeholders and the meaning of `{filters}` that the question brings. */
export async function languageContextFor(asked: JsonObject, desk: Desk): Promise<LanguageContext> {
  const { values, filters } = parseAsked(LanguageQuery.omit({ query: true }), asked)
  if (values && filters && "filters" in values) {
    throw invalid("Give filters as a value or as a parameter, not both.", "filters")
  }
  const own = languageContext(desk)
  const compiled = filters ? await compileAll(filters, asked, desk) : undefined
  return {
    ...own,
    rowsDefault: ROWS_DEFAULT,
    rowsMax: ROWS_MAX,
    ...(values ? { values } : {}),
    ...(compiled === undefined ? {} : { filters: () => compiled }),
  }
}

async function compileAll(
  { properties, dateRange, filterTestAccounts }: z.output<typeof LanguageFilters>,
  asked: JsonValue,
  desk: Desk,
): Promise<Expr> {
  const context = await contextFor(desk, asked)
  const filterContext = {
    ...context,
    target: "events",
  } as const
  const at = column(EVENTS, "timestamp")
  const momentOf = (text: string, attr: string) =>
    timestamp(parseDateInput(text, { ...context, attr }).time)
  const endOf = (text: string) => {
    const { time, hasTime } = parseDateInput(text, { ...context, attr: "date_to" })
    return timestamp(hasTime ? time : dayOf(time, context.timezone).end)
  }
  const { date_from, date_to } = dateRange ?? {}
  return and(
    compileFilters(parsePropertyFilters(properties), filterContext),
    ...(filterTestAccounts === true
      ? [compileFilters(context.testAccountFilters, filterContext)]
      : []),
    ...(date_from && date_from !== "all" ? [gte(at, momentOf(date_from, "date_from"))] : []),
    ...(date_to ? [lte(at, endOf(date_to))] : []),
  )
}
