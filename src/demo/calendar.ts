/** When people come: more of them every day, few at weekends, by the hours of where they live. */
import type { Random } from "./random.ts"
import type { Place } from "./world.ts"

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const WEEKEND_SHARE = 0.35
/** How many times as many come at the end as at the beginning. */
const GROWTH = 3
const ATTEMPTS_MAX = 50
/** Of a day, by local hour: little at night, a morning and an afternoon. */
const HOURS: readonly (readonly [number, number])[] = [
  ...[1, 1, 0.5, 0.5, 0.5, 1, 2, 5, 9, 12, 13, 12],
  ...[9, 11, 12, 12, 10, 8, 7, 7, 8, 7, 5, 2],
].map((weight, hour) => [hour, weight] as const)

export interface Calendar {
  readonly startMs: number
  readonly endMs: number
  /** When somebody comes for the first time. */
  arrival(place: Place, random: Random): number
  /** A moment of the UTC day that `dayMs` begins, as people who live there keep hours. */
  moment(dayMs: number, place: Place, random: Random): number
}

export function createCalendar(endMs: number, days: number): Calendar {
  const startMs = endMs - days * DAY_MS
  const weights: [number, number][] = []
  for (let dayMs = dayOf(startMs); dayMs <= endMs; dayMs += DAY_MS) {
    const growth = 1 + ((GROWTH - 1) * (dayMs - startMs)) / (endMs - startMs)
    weights.push([dayMs, growth * busyness(dayMs)])
  }
  return {
    startMs,
    endMs,
    moment,
    arrival(place, random) {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const at = moment(random.weighted(weights), place, random)
        if (at >= startMs && at <= endMs) return at
      }
      return Math.floor(random.between(startMs, endMs))
    },
  }
}

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** 1 on working days. */
export function busyness(dayMs: number): number {
  const day = new Date(dayMs).getUTCDay()
  return day === 0 || day === 6 ? WEEKEND_SHARE : 1
}

function moment(dayMs: number, place: Place, random: Random): number {
  const hour = random.weighted(HOURS) + random.fraction()
  const shifted = (hour - place.utcOffsetHours + 24) % 24
  return Math.floor(dayMs + shifted * HOUR_MS)
}
