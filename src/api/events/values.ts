/** What people choose from when they filter events: the values of a property, the names of events. */
import { exactNumberOf, parseExact, stringifyExact } from "../../lib/exact-json.ts"
import {
  aggregate,
  amongTexts,
  and,
  asc,
  call,
  column,
  desc,
  EVENTS,
  gt,
  gte,
  isNotNull,
  lt,
  not,
  or,
  property,
  table,
  text,
  timestamp,
} from "../../query/build.ts"
import { columnarTime } from "../../query/dates.ts"
import type { Expr } from "../../query/tree.ts"
import { nearFuture } from "./rules.ts"
import type { EventValue } from "./schema.ts"
import type { Stores } from "./store.ts"

const VALUES_MAX = 10
const SEEN_WITHIN_MS = 7 * 24 * 60 * 60 * 1_000
/** Different values that are looked at, the most frequent first. */
const GROUPS_MAX = 10_000

export interface ValueFilter {
  readonly project_id: number
  readonly now: Date
  readonly key: string
  /** Part of the value, in any case. */
  readonly part: string | undefined
  /** Empty: of any event. */
  readonly eventNames: readonly string[]
}

type ReadingStores = Pick<Stores, "columnar" | "limits">

/** The most frequent values of the last days; elements of lists count one by one. */
export async function listEventValues(
  stores: ReadingStores,
  filter: ValueFilter,
): Promise<readonly EventValue[]> {
  const { key, part, now, eventNames } = filter
  const place = { table: EVENTS, of: "event", key } as const
  const seen = column(EVENTS, "timestamp")
  const groups = await countGroups(stores, {
    project_id: filter.project_id,
    value: property(place, "json"),
    where: and(
      gt(seen, timestamp(columnarTime(now.getTime() - SEEN_WITHIN_MS))),
      lt(seen, timestamp(nearFuture(now))),
      isNotNull(property(place, "json")),
      ...(eventNames.length === 0 ? [] : [amongTexts(column(EVENTS, "event"), eventNames)]),
      // Lists are looked into below: as JSON text their elements are written differently.
      ...(part === undefined
        ? []
        : [or(containsPart(property(place), part), call("contains", property(place), text("[")))]),
    ),
  })
  return mostFrequent(groups.flatMap(elementsOf).filter(({ name }) => isMeant(name, part)))
}

/** Names that clients made up; those of the SDKs start with a dollar sign. */
export function listCustomEvents(
  stores: ReadingStores,
  { project_id, part }: Pick<ValueFilter, "project_id" | "part">,
): Promise<readonly EventValue[]> {
  const name = column(EVENTS, "event")
  // The percent sign is the character after the dollar sign.
  const isOfSdk = and(gte(name, text("$")), lt(name, text("%")))
  const conditions = part === undefined ? [] : [containsPart(name, part)]
  return countGroups(stores, { project_id, value: name, where: and(not(isOfSdk), ...conditions) })
}

interface Groups {
  readonly project_id: number
  readonly value: Expr
  readonly where: Expr
}

async function countGroups(
  { columnar, limits }: ReadingStores,
  { project_id, value, where }: Groups,
): Promise<readonly EventValue[]> {
  const rows = await columnar.rows(
    {
      columns: [
        { as: "name", expr: value },
        { as: "count", expr: aggregate("count") },
      ],
      from: table("events", EVENTS, project_id),
      where,
      groupBy: [value],
      orderBy: [desc(aggregate("count")), asc(value)],
      limit: GROUPS_MAX,
    },
    limits,
  )
  return rows.map((row) => ({ name: String(row.name), count: Number(row.count) }))
}

function containsPart(value: Expr, part: string): Expr {
  return call("contains", call("lower", value), call("lower", text(part)))
}

function isMeant(name: string, part: string | undefined): boolean {
  return name !== "" && (part === undefined || name.toLowerCase().includes(part.toLowerCase()))
}

/** A list that says something twice says it once. */
function elementsOf({ name: json, count }: EventValue): EventValue[] {
  const value = parseExact(json)
  const elements = Array.isArray(value) ? value : [value]
  const names = new Set(elements.filter((element) => element !== null).map(nameOf))
  return [...names].map((name) => ({ name, count }))
}

function nameOf(value: unknown): string {
  return typeof value === "string" ? (exactNumberOf(value) ?? value) : stringifyExact(value)
}

function mostFrequent(values: readonly EventValue[]): EventValue[] {
  const counts = new Map<string, number>()
  for (const { name, count } of values) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, VALUES_MAX)
}
