/** Lifecycles, read straight from their definition. */
import type { InsightData } from "../../support/insight-store.ts"
import {
  actorOf,
  bucketKey,
  bucketKeys,
  type Calendar,
  createdMs,
  isMatch,
  type PlainFilter,
  type PlainSeries,
  plainEvents,
  startOfDay,
} from "./activity.ts"

export interface PlainLifecycle {
  readonly series: PlainSeries
  readonly filters: readonly PlainFilter[]
  readonly isGroup: boolean
  readonly dateRange: { readonly date_from: string; readonly date_to: string }
  readonly calendar: Calendar
}

const STATUSES = ["new", "returning", "resurrecting", "dormant"] as const
export type PlainStatus = (typeof STATUSES)[number]
const WEEKS_MS = 40 * 86_400_000

/** Who is what in each of the asked buckets. */
export function lifecycleOf(data: InsightData, asked: PlainLifecycle) {
  const { calendar, dateRange, series, filters, isGroup } = asked
  const fromMs = startOfDay(dateRange.date_from, calendar.timezone)
  const keys = bucketKeys(fromMs, endOf(asked), calendar)
  const before = bucketKeys(fromMs - WEEKS_MS, fromMs, calendar).at(-2) ?? ""
  const all = [before, ...keys]
  const active = new Map<string, Set<number>>()
  for (const event of plainEvents(data)) {
    const actor = actorOf(event, isGroup)
    const place = all.indexOf(bucketKey(event.ms, calendar))
    if (actor === undefined || place < 0 || !isMatch(event, series, filters)) continue
    active.set(actor, (active.get(actor) ?? new Set()).add(place))
  }
  const found = STATUSES.map((status) => ({ status, buckets: all.map((): string[] => []) }))
  const add = (status: PlainStatus, place: number, actor: string) =>
    found.find((each) => each.status === status)?.buckets[place]?.push(actor)
  for (const [actor, places] of active) {
    const created = createdMs(data, { actor, isGroup })
    const createdKey = created === undefined ? undefined : bucketKey(created, calendar)
    const first = Math.min(...places)
    for (const place of places) {
      if (place === first) add(createdKey === all[place] ? "new" : "resurrecting", place, actor)
      else add(places.has(place - 1) ? "returning" : "resurrecting", place, actor)
      if (!places.has(place + 1)) add("dormant", place + 1, actor)
    }
  }
  return found.map(({ status, buckets }) => ({ status, buckets: buckets.slice(1) }))
}

/** Hours end where the caller says; all else with the day. */
function endOf({ calendar, dateRange }: PlainLifecycle): number {
  const ms = startOfDay(dateRange.date_to, calendar.timezone)
  return calendar.interval === "hour" ? ms : ms + 20 * 3_600_000
}
