/** Stickiness, read straight from its definition. */
import type { InsightData } from "../../support/insight-store.ts"
import {
  actorOf,
  bucketKey,
  bucketKeys,
  type Calendar,
  isMatch,
  type PlainFilter,
  type PlainSeries,
  plainEvents,
  startOfDay,
  wallDay,
} from "./activity.ts"

export interface PlainStickiness {
  readonly series: readonly (PlainSeries & { readonly isGroup: boolean })[]
  readonly filters: readonly PlainFilter[]
  readonly dateRange: { readonly date_from: string; readonly date_to: string }
  readonly calendar: Calendar
}

/** For each series: who was active in one bucket, in two, in three. */
export function stickinessOf(data: InsightData, asked: PlainStickiness) {
  const { calendar, dateRange, filters } = asked
  const fromMs = startOfDay(dateRange.date_from, calendar.timezone)
  const isHour = calendar.interval === "hour"
  const lastMs = startOfDay(dateRange.date_to, calendar.timezone)
  const keys = bucketKeys(fromMs, isHour ? lastMs : lastMs + 20 * 3_600_000, calendar)
  const isEarly = (ms: number) =>
    isHour ? ms <= lastMs : wallDay(ms, calendar.timezone) <= dateRange.date_to
  return asked.series.map((series) => {
    const active = new Map<string, Set<string>>()
    for (const event of plainEvents(data)) {
      const actor = actorOf(event, series.isGroup)
      const key = bucketKey(event.ms, calendar)
      const isIn = keys.includes(key) && isEarly(event.ms)
      if (actor === undefined || !isIn || !isMatch(event, series, filters)) continue
      active.set(actor, (active.get(actor) ?? new Set()).add(key))
    }
    return keys.map((_, index) =>
      [...active].filter(([, own]) => own.size === index + 1).map(([actor]) => actor),
    )
  })
}
