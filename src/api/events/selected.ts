/** A list of events whose caller chose expressions to see instead of whole events. */

import type { z } from "zod"
import type { Desk } from "../../analysis/desk.ts"
import { eventsQuery } from "../../analysis/kinds/events-query.ts"
import { invalid } from "../../lib/errors.ts"
import type { JsonValue } from "../../lib/json.ts"
import { printLanguage } from "../../query/language/print-language.ts"
import { pageAddress } from "../http/paging.ts"
import { type EventSearch, parseExpressions } from "./rules.ts"
import type { EventQuery, SelectedPage } from "./schema.ts"

export async function listSelected(
  desk: Desk,
  { query, search }: { readonly query: EventQuery; readonly search: EventSearch },
  address: string,
): Promise<z.output<typeof SelectedPage>> {
  const { limit, offset } = search
  const answer = await eventsQuery.answer(
    {
      select: parseExpressions(query.select, "select"),
      where: [...search.where, ...isOf(search.distinct_id)],
      properties: propertiesOf(query),
      event: query.event || null,
      personId: query.person_id || null,
      before: query.before || null,
      after: query.after || "all",
      ...(query.orderBy ? { orderBy: orderOf(query.orderBy) } : {}),
      limit,
      offset,
    },
    desk,
  )
  return {
    next: answer.hasMore === true ? pageAddress(address, { limit, offset: offset + limit }) : null,
    columns: answer.columns as string[],
    types: answer.types as string[],
    results: answer.results as JsonValue[][],
  }
}

const NOWHERE = { start: 0, end: 0 }

function isOf(distinctId: string | undefined): readonly string[] {
  if (distinctId === undefined) return []
  const value = printLanguage({ kind: "constant", value: distinctId, span: NOWHERE })
  return [`distinct_id = ${value}`]
}

/** Given more than once, all of them are meant. */
function propertiesOf({ properties }: EventQuery): JsonValue {
  const lists = [properties ?? []].flat().filter((text) => text !== "")
  const values = lists.map((text): JsonValue => {
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      throw invalid("The property filters are no valid JSON.", "properties")
    }
  })
  const groups = values.map((list) => (Array.isArray(list) ? { type: "AND", values: list } : list))
  return groups.length === 0 ? [] : { type: "AND", values: groups }
}

/** "-timestamp" is how the list says "timestamp DESC". */
function orderOf(orderBy: string): readonly string[] {
  return parseExpressions(orderBy, "orderBy").map((each) =>
    each.startsWith("-") ? `${each.slice(1)} DESC` : each,
  )
}
