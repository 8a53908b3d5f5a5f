/** Trends reckoned by loops over all events, on wall clocks written as text. Slow and plain. */
import type { InsightData, InsightEvent } from "../../support/insight-store.ts"

export interface PlainSeries {
  readonly event: string | null
  readonly math: string
  readonly math_property?: string
  readonly math_group_type_index?: number
  /** Only events whose `browser` is this. */
  readonly browser?: string
}

export interface PlainQuestion {
  readonly series: readonly PlainSeries[]
  readonly interval: "hour" | "day" | "week" | "month"
  /** Days, or for hours moments such as "2020-03-02 05:00:00"; both of the zone. */
  readonly date_from: string
  readonly date_to: string
  readonly timezone: string
  readonly weekStartsOn: 0 | 1
  readonly shows: "buckets" | "cumulative" | "total"
  readonly smoothing: number
  readonly breakdown: boolean
  readonly limit: number
}

interface PlainLine {
  readonly series: number
  readonly value: string | null
  readonly data: readonly number[]
}

interface PlainEvent extends InsightEvent {
  readonly actor: string
  /** "2020-03-01T05:00:00" on the wall. */
  readonly wall: string
}

const NONE = "$$_posthog_breakdown_null_$$"
const OTHER = "$$_posthog_breakdown_other_$$"

export function referenceTrends(data: InsightData, question: PlainQuestion): readonly PlainLine[] {
  const events = plainEvents(data, question.timezone)
  return question.series.flatMap((series, index): readonly PlainLine[] => {
    const finish = (raw: readonly number[]) => finished(raw, question)
    const all = events.filter((event) => isOf(event, series))
    if (!question.breakdown) {
      return [{ series: index, value: null, data: finish(numbers(all, series, question)) }]
    }
    const present = all.filter((event) => isPresent(event, series, question))
    const values = [...new Set(present.map(shownValue))]
    const ranked = values
      .map((value) => {
        const raw = numbers(
          all.filter((event) => shownValue(event) === value),
          series,
          question,
        )
        return { value, raw, total: raw.reduce((sum, each) => sum + each, 0) }
      })
      .sort(
        (a, b) =>
          Number(a.value === NONE) - Number(b.value === NONE) ||
          b.total - a.total ||
          (a.value < b.value ? -1 : 1),
      )
    const shown = ranked.slice(0, question.limit)
    const rest = ranked.slice(question.limit).map(({ value }) => value)
    const lines = shown.map(({ value, raw }) => ({ series: index, value, data: finish(raw) }))
    if (rest.length === 0) return lines
    const others = all.filter((event) => !shown.some(({ value }) => value === shownValue(event)))
    return [
      ...lines,
      { series: index, value: OTHER, data: finish(numbers(others, series, question)) },
    ]
  })
}

/** Who did how much in one bucket (or in all), by name. */
export function referenceActors(
  data: InsightData,
  question: PlainQuestion,
  bucket: number | undefined,
): ReadonlyMap<string, number> {
  const [series] = question.series
  if (series === undefined) return new Map()
  const start = bucket === undefined ? undefined : bucketStarts(question)[bucket]
  const counts = new Map<string, number>()
  for (const event of plainEvents(data, question.timezone)) {
    if (!isOf(event, series) || !isWithin(event, series, { question, start })) continue
    counts.set(event.actor, (counts.get(event.actor) ?? 0) + 1)
  }
  return counts
}

function isWithin(
  event: PlainEvent,
  series: PlainSeries,
  { question, start }: { question: PlainQuestion; start: string | undefined },
): boolean {
  const days = activeDays(series)
  if (days !== undefined)
    return isActive(event, { question, days, start: start ?? lastDay(question) })
  if (!isInRange(event, question)) return false
  if (start === undefined) return true
  const own = bucketOf(event.wall, question)
  return question.shows === "cumulative" ? own <= start : own === start
}

const lastDay = ({ date_to }: PlainQuestion) => `${date_to.slice(0, 10)}T00:00:00`

/** One number for each bucket, or one; not yet cumulated, but persons who are to be are there once. */
function numbers(
  events: readonly PlainEvent[],
  series: PlainSeries,
  question: PlainQuestion,
): readonly number[] {
  const days = activeDays(series)
  const starts = bucketStarts(question)
  if (days !== undefined) {
    const anchors = question.shows === "total" ? [lastDay(question)] : starts
    return anchors.map(
      (start) => unique(events.filter((event) => isActive(event, { question, days, start }))).size,
    )
  }
  const inRange = events.filter((event) => isInRange(event, question))
  if (question.shows === "total") return [reckon(inRange, series)]
  const seen = new Set<string>()
  return starts.map((start) => {
    const own = inRange.filter((event) => bucketOf(event.wall, question) === start)
    if (question.shows !== "cumulative" || !isUnique(series)) return reckon(own, series)
    const fresh = [...uniqueKeys(own, series)].filter((key) => !seen.has(key))
    for (const key of fresh) seen.add(key)
    return fresh.length
  })
}

const isUnique = ({ math }: PlainSeries) => math === "dau" || math.startsWith("unique_")

function reckon(events: readonly PlainEvent[], series: PlainSeries): number {
  const { math } = series
  if (math === "total") return events.length
  if (isUnique(series)) return uniqueKeys(events, series).size
  if (math.endsWith("_count_per_actor")) {
    const counts = [...unique(events)].map(
      (actor) => events.filter((event) => event.actor === actor).length,
    )
    return over(counts, math.slice(0, -"_count_per_actor".length))
  }
  const values = events.flatMap(({ properties }) => {
    const value = properties?.[series.math_property ?? ""]
    const number = typeof value === "string" && value !== "" ? Number(value) : value
    return typeof number === "number" && Number.isFinite(number) ? [number] : []
  })
  return over(values, math)
}

function uniqueKeys(events: readonly PlainEvent[], { math }: PlainSeries): ReadonlySet<string> {
  if (math === "dau") return unique(events)
  const key = math === "unique_session" ? "$session_id" : "$group_0"
  return new Set(
    events.flatMap(({ properties }) => {
      const value = properties?.[key]
      return value === undefined || value === null ? [] : [String(value)]
    }),
  )
}

const unique = (events: readonly PlainEvent[]) => new Set(events.map(({ actor }) => actor))

function over(values: readonly number[], math: string): number {
  if (values.length === 0) return 0
  const sum = values.reduce((all, value) => all + value, 0)
  const sorted = [...values].sort((a, b) => a - b)
  const quantile = (level: number) => {
    const place = (sorted.length - 1) * level
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
    return low + (high - low) * (place - Math.floor(place))
  }
  switch (math) {
    case "sum":
      return sum
    case "avg":
      return sum / values.length
    case "min":
      return sorted[0] ?? 0
    case "max":
      return sorted.at(-1) ?? 0
    case "median":
      return quantile(0.5)
    default:
      return quantile(Number(math.slice(1)) / 100)
  }
}

function finished(raw: readonly number[], { shows, smoothing }: PlainQuestion): readonly number[] {
  if (shows === "total") return raw
  const sum = (list: readonly number[]) => list.reduce((all, value) => all + value, 0)
  const data = shows === "cumulative" ? raw.map((_, index) => sum(raw.slice(0, index + 1))) : raw
  if (smoothing <= 1) return data
  return data.map((_, index) => {
    const near = data.slice(Math.max(0, index + 1 - smoothing), index + 1)
    return Math.floor(sum(near) / near.length)
  })
}

function isOf({ event, properties }: PlainEvent, series: PlainSeries): boolean {
  if (series.event !== null && series.event !== event) return false
  if (series.browser !== undefined && String(properties?.browser) !== series.browser) return false
  if (series.math === "unique_session") return has(properties?.$session_id)
  return series.math !== "unique_group" || has(properties?.$group_0)
}

const has = (value: unknown) => value !== undefined && value !== null

/** Whether it can make its value appear. */
function isPresent(event: PlainEvent, series: PlainSeries, question: PlainQuestion): boolean {
  const days = activeDays(series)
  if (days === undefined) return isInRange(event, question)
  const anchors = question.shows === "total" ? [lastDay(question)] : bucketStarts(question)
  return anchors.some((start) => isActive(event, { question, days, start }))
}

function shownValue({ properties }: PlainEvent): string {
  const value = properties?.browser
  return value === undefined || value === null || value === "" ? NONE : String(value)
}

function activeDays({ math }: PlainSeries): number | undefined {
  return math === "weekly_active" ? 7 : math === "monthly_active" ? 30 : undefined
}

function isActive(
  { wall }: PlainEvent,
  { question, days, start }: { question: PlainQuestion; days: number; start: string },
): boolean {
  return wall > addDays(start, 1 - days) && wall <= addDays(start, 1) && wall <= endOf(question)
}

const endOf = ({ date_to, interval }: PlainQuestion) =>
  interval === "hour" ? date_to.replace(" ", "T") : `${date_to}T23:59:59`

function isInRange({ wall }: PlainEvent, question: PlainQuestion): boolean {
  const { date_from, interval } = question
  const from =
    interval === "hour" ? date_from.replace(" ", "T") : bucketOf(`${date_from}T00:00:00`, question)
  return wall >= from && wall <= endOf(question)
}

function bucketOf(wall: string, { interval, weekStartsOn, shows }: PlainQuestion): string {
  const day = `${wall.slice(0, 10)}T00:00:00`
  if (shows === "total") return day
  switch (interval) {
    case "hour":
      return `${wall.slice(0, 13)}:00:00`
    case "day":
      return day
    case "week":
      return addDays(day, -((new Date(`${day}Z`).getUTCDay() - weekStartsOn + 7) % 7))
    case "month":
      return `${wall.slice(0, 7)}-01T00:00:00`
  }
}

function bucketStarts(question: PlainQuestion): readonly string[] {
  const from = question.date_from.replace(" ", "T").padEnd(19, "T00:00:00".slice(-9))
  const starts = [bucketOf(from, question)]
  for (let at = from; at <= endOf(question); at = addHours(at, 1)) {
    const start = bucketOf(at, question)
    if (start !== starts.at(-1)) starts.push(start)
  }
  return starts
}

const addDays = (wall: string, days: number) => addHours(wall, days * 24)
const addHours = (wall: string, hours: number) =>
  new Date(Date.parse(`${wall}Z`) + hours * 3_600_000).toISOString().slice(0, 19)

function plainEvents(
  { events, merged = [] }: InsightData,
  timezone: string,
): readonly PlainEvent[] {
  const became = new Map(merged.map(({ from, into }) => [from, into]))
  return events.map((event) => ({
    ...event,
    actor: became.get(event.person) ?? event.person,
    wall: wallOf(event.at, timezone),
  }))
}

/** Swedish dates are written as ISO writes them. */
function wallOf(at: string, timezone: string): string {
  return new Date(at).toLocaleString("sv-SE", { timeZone: timezone }).replace(" ", "T")
}
