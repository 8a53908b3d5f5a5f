/** What persons did, and when. */
import type { JsonObject } from "../lib/json.ts"
import type { PropertyGroup } from "../query/filters/parse.ts"
import type { CompareOperator } from "../query/tree.ts"
import {
  type Behavior,
  type CohortCondition,
  type EventMatch,
  type Frequency,
  SPAN_UNITS,
  type Span,
  type Window,
} from "./definition.ts"
import { parseEventFilters, parseFlag, parseWhole, shown, wrong } from "./parse-values.ts"
import { approximateDays } from "./windows.ts"

const EVENT_LENGTH_MAX = 1_000
const FREQUENCY_MAX = 1_000_000_000
const PERIODS_MAX = 100
const SPAN_COUNT_MAX = 999_999
/** No event is older, and no engine has to know dates before the first year. */
const SPAN_DAYS_MAX = 100 * 366

export function parseBehavioral(condition: JsonObject): CohortCondition {
  const of = parseMatch(condition, { event: "key", type: "event_type", filters: "event_filters" })
  const behavior = parseBehavior(condition)
  return { kind: "behavioral", of, behavior, isNegated: parseFlag(condition, "negation") }
}

interface MatchNames {
  readonly event: string
  readonly type: string
  readonly filters: string
}

function parseMatch(condition: JsonObject, names: MatchNames): EventMatch {
  const type = condition[names.type] ?? "events"
  if (type === "actions") {
    throw wrong(`There are no actions here: give "${names.event}" the name of an event.`)
  }
  if (type !== "events") throw wrong(`"${names.type}" is "events", not ${shown(type)}.`)
  const event = condition[names.event]
  if (typeof event !== "string" || event === "" || event.length > EVENT_LENGTH_MAX) {
    throw wrong(`"${names.event}" is the name of an event, not ${shown(event)}.`)
  }
  const filters = parseEventFilters(condition[names.filters])
  refuseCohorts(filters)
  return { event, filters }
}

function refuseCohorts({ members }: PropertyGroup): void {
  for (const member of members) {
    if (member.kind === "group") refuseCohorts(member)
    else if (member.type.endsWith("cohort")) {
      throw wrong("Filters of events name no cohorts: use a condition of type cohort.")
    }
  }
}

function parseBehavior(condition: JsonObject): Behavior {
  const { value } = condition
  const parse = PARSERS.get(value)
  if (parse !== undefined) return parse(condition)
  const known = [...PARSERS.keys()].join(", ")
  throw wrong(`${shown(value)} is no kind of behavior; there are ${known}.`)
}

const PARSERS: ReadonlyMap<unknown, (condition: JsonObject) => Behavior> = new Map<
  unknown,
  (condition: JsonObject) => Behavior
>([
  [
    "performed_event",
    (condition) => ({ value: "performed_event", window: parseWindow(condition) }),
  ],
  [
    "performed_event_multiple",
    (condition) => ({
      value: "performed_event_multiple",
      window: parseWindow(condition),
      frequency: parseFrequency(condition),
    }),
  ],
  [
    "performed_event_first_time",
    (condition) => ({ value: "performed_event_first_time", window: parseWindow(condition) }),
  ],
  ["performed_event_sequence", parseSequence],
  ["performed_event_regularly", parseRegularly],
  ["stopped_performing_event", (condition) => parsePause(condition, "stopped_performing_event")],
  [
    "restarted_performing_event",
    (condition) => parsePause(condition, "restarted_performing_event"),
  ],
])

function parseSequence(condition: JsonObject): Behavior {
  return {
    value: "performed_event_sequence",
    window: parseWindow(condition),
    next: parseMatch(condition, {
      ...{ event: "seq_event", type: "seq_event_type", filters: "seq_event_filters" },
    }),
    within: parseSpan(condition, "seq_time"),
  }
}

function parseRegularly(condition: JsonObject): Behavior {
  refuseDates(condition)
  const totalPeriods = parseWhole(condition.total_periods, {
    ...{ what: '"total_periods"', min: 1, max: PERIODS_MAX },
  })
  const minPeriods = parseWhole(condition.min_periods, {
    ...{ what: '"min_periods"', min: 1, max: totalPeriods },
  })
  const period = parseSpan(condition, "time")
  checkSpan({ ...period, count: period.count * totalPeriods })
  const isCounted = condition.operator_value != null
  const frequency: Frequency = isCounted ? parseFrequency(condition) : { operator: ">=", count: 1 }
  return { value: "performed_event_regularly", period, totalPeriods, minPeriods, frequency }
}

function parsePause(
  condition: JsonObject,
  value: "stopped_performing_event" | "restarted_performing_event",
): Behavior {
  refuseDates(condition)
  const span = parseSpan(condition, "time")
  const recent = parseSpan(condition, "seq_time")
  if (approximateDays(recent) >= approximateDays(span)) {
    throw wrong(`For ${value}, "seq_time_value" spans less time than "time_value".`)
  }
  return { value, span, recent }
}

const FREQUENCY_OPERATORS: ReadonlyMap<unknown, CompareOperator> = new Map([
  ["gte", ">="],
  ["gt", ">"],
  ["lte", "<="],
  ["lt", "<"],
  ["eq", "="],
  ["exact", "="],
] as const)

function parseFrequency({ operator, operator_value }: JsonObject): Frequency {
  const found = FREQUENCY_OPERATORS.get(operator ?? "gte")
  if (found === undefined) {
    throw wrong(`"operator" is one of gte, gt, lte, lt and eq, not ${shown(operator)}.`)
  }
  const count = parseWhole(operator_value, {
    ...{ what: '"operator_value"', min: 1, max: FREQUENCY_MAX },
  })
  return { operator: found, count }
}

/** Dates as text are read against the clock, when the cohort is worked out. */
function parseWindow(condition: JsonObject): Window {
  const { explicit_datetime: from, explicit_datetime_to: to } = condition
  if (from == null && to == null) return { kind: "last", span: parseSpan(condition, "time") }
  if (typeof from !== "string" || from === "") {
    throw wrong(`"explicit_datetime" is a date such as 2026-01-31 or -30d, not ${shown(from)}.`)
  }
  if (to != null && typeof to !== "string") {
    throw wrong(`"explicit_datetime_to" is a date such as 2026-01-31 or -7d, not ${shown(to)}.`)
  }
  return { kind: "dates", from, to: to ?? undefined }
}

function refuseDates({ value, explicit_datetime, explicit_datetime_to }: JsonObject): void {
  if (explicit_datetime == null && explicit_datetime_to == null) return
  throw wrong(`${shown(value)} goes by "time_value" and "time_interval", not by dates.`)
}

function parseSpan(condition: JsonObject, prefix: "time" | "seq_time"): Span {
  const interval = condition[`${prefix}_interval`]
  const unit = SPAN_UNITS.find((name) => name === interval)
  if (unit === undefined) {
    throw wrong(`"${prefix}_interval" is one of ${SPAN_UNITS.join(", ")}, not ${shown(interval)}.`)
  }
  const count = parseWhole(condition[`${prefix}_value`], {
    ...{ what: `"${prefix}_value"`, min: 1, max: SPAN_COUNT_MAX },
  })
  checkSpan({ count, unit })
  return { count, unit }
}

function checkSpan(span: Span): void {
  if (approximateDays(span) <= SPAN_DAYS_MAX) return
  throw wrong(`${span.count} times a ${span.unit} is longer than 100 years.`)
}
