/** Wall clock and moment of a time zone, from the runtime's own zone data. Milliseconds throughout. */

const formats = new Map<string, Intl.DateTimeFormat>()
const ZONES_KEPT_MAX = 100
const DAY_MS = 86_400_000

/** What the clock on the wall shows, as if it were UTC. */
export function wallClockMs(momentMs: number, timezone: string): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(momentMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const date = utcMs(part("year"), part("month"), part("day"))
  const fraction = ((momentMs % 1000) + 1000) % 1000
  return date + (part("hour") * 3600 + part("minute") * 60 + part("second")) * 1000 + fraction
}

/**
 * The moment at which the wall shows a time. A time that is shown twice means the first; one that a
 * change of clocks skips means as long after the change as it lies in the gap.
 */
export function momentMs(wallMs: number, timezone: string): number {
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map(
    (nearby) => wallClockMs(nearby, timezone) - nearby,
  )
  const candidates = offsets.map((offset) => wallMs - offset)
  const exact = candidates.filter((candidate) => wallClockMs(candidate, timezone) === wallMs)
  return exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? wallMs)
}

/** Months count from 1. Years below 100 are meant as written. */
export function utcMs(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known !== undefined) return known
  if (formats.size >= ZONES_KEPT_MAX) formats.clear()
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })
  formats.set(timezone, format)
  return format
}
