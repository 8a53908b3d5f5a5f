/** Retention, read straight from its definition. */
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
} from "./activity.ts"

export interface PlainRetention {
  readonly target: PlainSeries
  /** The target again, when there is none. */
  readonly returning: PlainSeries | null
  readonly filters: readonly PlainFilter[]
  readonly isFirstTime: boolean
  readonly isGroup: boolean
  readonly total: number
  readonly date_to: string
  readonly calendar: Calendar
}

const NOON_MS = 12 * 3_600_000
const HOURS_MAX = { hour: 1, day: 25, week: 7 * 25, month: 31 * 25 }

/** For each row its actors, each with 1 and 0 for every bucket from the row's on. */
export function retentionOf(data: InsightData, asked: PlainRetention) {
  const { calendar, total, filters, isGroup, isFirstTime, target } = asked
  const returning = asked.returning ?? target
  const endMs = startOfDay(asked.date_to, calendar.timezone) + NOON_MS
  const longMs = (total + 1) * HOURS_MAX[calendar.interval] * 3_600_000
  const keys = bucketKeys(endMs - longMs, endMs, calendar).slice(-total)
  const placeOf = (ms: number) => keys.indexOf(bucketKey(ms, calendar))
  const [targets, returns] = [new Map<string, number[]>(), new Map<string, number[]>()]
  const firsts = new Map<string, number>()
  for (const event of plainEvents(data)) {
    const actor = actorOf(event, isGroup)
    if (actor === undefined) continue
    const place = placeOf(event.ms)
    if (isMatch(event, target, filters)) {
      targets.set(actor, [...(targets.get(actor) ?? []), place])
      firsts.set(actor, Math.min(firsts.get(actor) ?? event.ms, event.ms))
    }
    if (isMatch(event, returning, filters)) {
      returns.set(actor, [...(returns.get(actor) ?? []), place])
    }
  }
  return keys.map((_, row) => {
    const isMember = (actor: string) =>
      isFirstTime
        ? placeOf(firsts.get(actor) ?? 0) === row
        : targets.get(actor)?.includes(row) === true
    return [...targets.keys()].filter(isMember).map((actor) => ({
      actor,
      appearances: keys
        .slice(row)
        .map((_, steps) => (steps === 0 || returns.get(actor)?.includes(row + steps) ? 1 : 0)),
    }))
  })
}
