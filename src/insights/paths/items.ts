/** The events that are steps, each with the item it shows: cleaned, grouped, and not excluded. */
import {
  amongTexts,
  and,
  call,
  column,
  compare,
  EVENTS,
  not,
  selectEvents,
  text,
} from "../../query/build.ts"
import type { Expr, Select } from "../../query/tree.ts"
import { subquery } from "../funnels/funnel.ts"
import { TIMESTAMP } from "../series.ts"
import { inStretch } from "./funnel-stretch.ts"
import type { Paths } from "./question.ts"

const RAW = "r"
const CLEAN = "c"
const GROUPED = "g"

/** `actor_id`, `at`, `uuid` (which breaks ties, as text: not all engines order UUIDs by their digits) and `item`. */
export function pathItems(paths: Paths): Select {
  const { stretch, groupings, excluded } = paths
  const raw = stretch === undefined ? rawItems(paths) : inStretch(rawItems(paths), stretch)
  const clean = withItem(raw, RAW, cleanItem(paths))
  const grouped =
    groupings.length === 0
      ? clean
      : withItem(clean, CLEAN, groupedItem(column(CLEAN, "item"), groupings))
  if (excluded.length === 0) return grouped
  return {
    ...withItem(grouped, GROUPED, column(GROUPED, "item")),
    where: not(amongTexts(column(GROUPED, "item"), excluded)),
  }
}

function rawItems({ source, actor, where, context }: Paths): Select {
  const { is, shown, isPage } = source
  return selectEvents(context.project_id, {
    columns: [
      { as: "actor_id", expr: actor },
      { as: "at", expr: TIMESTAMP },
      { as: "uuid", expr: call("plainText", column(EVENTS, "uuid")) },
      { as: "shown", expr: shown },
      ...(typeof isPage === "boolean" ? [] : [{ as: "is_page", expr: isPage }]),
    ],
    where: and(...is, where),
  })
}

function withItem(events: Select, alias: string, item: Expr): Select {
  return {
    columns: [
      ...["actor_id", "at", "uuid"].map((as) => ({ as, expr: column(alias, as) })),
      { as: "item", expr: item },
    ],
    from: subquery(events, alias),
  }
}

function cleanItem({ source, cleaning }: Paths): Expr {
  const shown = column(RAW, "shown")
  const { isPage } = source
  const isAddress = typeof isPage === "boolean" ? [] : [column(RAW, "is_page")]
  const trimmed = isPage === false ? shown : withoutSlash(shown, isAddress)
  return cleaning.reduce<Expr>(
    (item, { regex, alias }) =>
      typeof regex === "string"
        ? call("replaceMatches", item, text(regex), text(typeof alias === "string" ? alias : ""))
        : item,
    call("coalesce", trimmed, text("")),
  )
}

/** Few addresses end in a slash: the pattern is only tried on those. */
function withoutSlash(address: Expr, isAddress: readonly Expr[]): Expr {
  const when = and(
    ...isAddress,
    call("endsWith", address, text("/")),
    compare("!=", address, text("/")),
  )
  const result = call("replaceMatches", address, text("/$"), text(""))
  return { kind: "case", branches: [{ when, result }], otherwise: address }
}

/** The first pattern that is found in the item takes its place. */
function groupedItem(item: Expr, groupings: readonly string[]): Expr {
  return {
    kind: "case",
    branches: groupings.map((grouping) => ({
      when: call("matches", item, text(patternOf(grouping))),
      result: text(grouping),
    })),
    otherwise: item,
  }
}

const patternOf = (grouping: string): string => grouping.split("*").map(literal).join("(?s:.*)")

const literal = (part: string): string => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&")
