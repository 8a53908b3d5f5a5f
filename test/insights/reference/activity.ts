/** Plain reckoning of who did what in which bucket: loops over events, the calendar from the runtime's own. */
import type { JsonObject, JsonValue } from "../../../src/lib/json.ts"
import type { InsightData } from "../../support/insight-store.ts"

export interface Calendar {
  readonly interval: "hour" | "day" | "week" | "month"
  readonly timezone: string
  /** 0 Sunday, 1 Monday. */
  readonly weekStartsOn: 0 | 1
}

export interface PlainSeries {
  readonly event: string | null
  readonly properties?: readonly PlainFilter[]
}

export interface PlainFilter {
  readonly key: string
  readonly operator: "exact" | "is_not"
  readonly value: string
}

export interface PlainEvent {
  /** As it is now. */
  readonly person: string
  readonly event: string
  readonly ms: number
  readonly properties: JsonObject
}

const HOUR_MS = 3_600_000
const STEP_MS = HOUR_MS / 2
const DAY_MS = 24 * HOUR_MS

const known = new Map<string, string>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** "2021-03-14 05 GMT-4": what the clock on the wall shows, to the hour. */
function wallHour(ms: number, timezone: string): string {
  const id = `${timezone} ${ms}`
  const found = known.get(id)
  if (found !== undefined) return found
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat("en-CA", {
      ...{ timeZone: timezone, hourCycle: "h23", timeZoneName: "longOffset" },
      ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" },
    })
  formats.set(timezone, format)
  const text = format.format(ms).replace(",", "")
  known.set(id, text)
  return text
}

export const wallDay = (ms: number, timezone: string): string => wallHour(ms, timezone).slice(0, 10)

/** What all moments of a bucket have in common. */
export function bucketKey(ms: number, { interval, timezone, weekStartsOn }: Calendar): string {
  const hour = wallHour(Math.floor(ms / STEP_MS) * STEP_MS, timezone)
  if (interval === "hour") return hour
  if (interval === "month") return hour.slice(0, 7)
  const day = Date.parse(`${hour.slice(0, 10)}T00:00:00Z`)
  if (interval === "day") return new Date(day).toISOString().slice(0, 10)
  const since = (new Date(day).getUTCDay() - weekStartsOn + 7) % 7
  return new Date(day - since * DAY_MS).toISOString().slice(0, 10)
}

/** The buckets that the moments of a span lie in, in order. */
export function bucketKeys(fromMs: number, toMs: number, calendar: Calendar): readonly string[] {
  const keys: string[] = []
  for (let ms = Math.floor(fromMs / STEP_MS) * STEP_MS; ms <= toMs; ms += STEP_MS) {
    const key = bucketKey(ms, calendar)
    if (keys.at(-1) !== key) keys.push(key)
  }
  return keys
}

/** The first half hour of a day ("2021-03-14") on the wall. */
export function startOfDay(day: string, timezone: string): number {
  let ms = Date.parse(`${day}T00:00:00Z`) - DAY_MS
  while (wallDay(ms, timezone) < day) ms += STEP_MS
  return ms
}

export function plainEvents({ events, merged = [] }: InsightData): readonly PlainEvent[] {
  const nowOf = (person: string) => merged.find(({ from }) => from === person)?.into ?? person
  return events.map(({ person, event, at, properties = {} }) => ({
    person: nowOf(person),
    event,
    ms: Date.parse(at),
    properties,
  }))
}

/** When a person or a group of the first kind came to be; undefined for a group that nobody described. */
export function createdMs(
  { events, persons = [] }: InsightData,
  { actor, isGroup }: { readonly actor: string; readonly isGroup: boolean },
): number | undefined {
  if (isGroup) return undefined
  const told = persons.find(({ name }) => name === actor)?.created_at
  if (told !== undefined) return Date.parse(told)
  // Own events alone: those of persons who became it later count for nothing.
  const own = events.filter(({ person }) => person === actor).map(({ at }) => Date.parse(at))
  return own.length === 0 ? Date.parse("2020-01-01T00:00:00Z") : Math.min(...own)
}

export function isMatch(
  event: PlainEvent,
  series: PlainSeries,
  filters: readonly PlainFilter[],
): boolean {
  const isNamed = series.event === null || series.event === event.event
  return isNamed && [...(series.properties ?? []), ...filters].every((each) => holds(event, each))
}

function holds({ properties }: PlainEvent, { key, operator, value }: PlainFilter): boolean {
  const isEqual = textOf(properties[key]) === value
  return operator === "exact" ? isEqual : !isEqual
}

/** Missing values and nulls have none. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** The person, or the group of the first kind; undefined where the event names none. */
export function actorOf(event: PlainEvent, isGroup: boolean): string | undefined {
  if (!isGroup) return event.person
  const key = textOf(event.properties.$group_0)
  return key === "" ? undefined : key
}
