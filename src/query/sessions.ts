/** Sessions, which nobody stores: the events that share a `$session_id`, taken together. */
import type { AggregateName } from "./functions/index.ts"
import type { AggregateExpr, Expr, Select } from "./tree.ts"
import type { Type } from "./types.ts"

export interface SessionField {
  readonly type: Type
  readonly meaning: string
  /** Over the events of one session, as `EVENTS`. */
  readonly expr: Expr
}

/** Of the events inside the query of sessions; `build.ts`, which joins sessions, can not be imported. */
const EVENTS = "e"

const column = (name: string): Expr => ({ kind: "column", table: EVENTS, column: name })
const ofEvent = (key: string): Expr => ({
  kind: "property",
  table: EVENTS,
  of: "event",
  key,
  as: "text",
})
const isNotNull = (operand: Expr): Expr => ({ kind: "not", operand: { kind: "isNull", operand } })
const aggregate = (name: AggregateName, ...args: readonly Expr[]): AggregateExpr => ({
  kind: "aggregate",
  name,
  args,
})

const at = column("timestamp")
const sessionId = ofEvent("$session_id")

const first = (value: Expr): Expr => ({
  ...aggregate("argMin", value, at),
  filter: isNotNull(value),
})
const last = (value: Expr): Expr => ({
  ...aggregate("argMax", value, at),
  filter: isNotNull(value),
})
const countOf = (event: string): Expr => ({
  ...aggregate("count"),
  filter: {
    kind: "compare",
    operator: "=",
    left: column("event"),
    right: { kind: "value", value: { type: "text", value: event } },
  },
})

const start = aggregate("min", at)
const end = aggregate("max", at)
const url = ofEvent("$current_url")

const TEXT: Type = { kind: "text", isNullable: false }
const TEXT_OR_NULL: Type = { kind: "text", isNullable: true }
const MOMENT: Type = { kind: "moment", isNullable: false }
const INTEGER: Type = { kind: "integer", isNullable: false }
const FLOAT: Type = { kind: "float", isNullable: false }

const textField = (meaning: string, expr: Expr): SessionField => ({
  type: TEXT_OR_NULL,
  meaning,
  expr,
})
const initial = (key: string): SessionField =>
  textField(`${key} of the first event that has one`, first(ofEvent(key)))
const count = (meaning: string, expr: Expr): SessionField => ({ type: INTEGER, meaning, expr })

export const SESSION_FIELDS = {
  session_id: { type: TEXT, meaning: "the id that its events carry", expr: sessionId },
  distinct_id: {
    type: TEXT,
    meaning: "distinct id of the first event",
    expr: aggregate("argMin", column("distinct_id"), at),
  },
  min_timestamp: { type: MOMENT, meaning: "when it began", expr: start },
  max_timestamp: { type: MOMENT, meaning: "when its last event happened", expr: end },
  duration: {
    type: FLOAT,
    meaning: "seconds from the first event to the last",
    expr: { kind: "call", name: "diffSeconds", args: [start, end] },
  },
  urls: {
    type: { kind: "array", of: TEXT },
    meaning: "the different addresses of its events",
    expr: aggregate("groupUniqArray", url),
  },
  entry_url: textField("the first address", first(url)),
  exit_url: textField("the last address", last(url)),
  initial_utm_source: initial("utm_source"),
  initial_utm_medium: initial("utm_medium"),
  initial_utm_campaign: initial("utm_campaign"),
  initial_utm_term: initial("utm_term"),
  initial_utm_content: initial("utm_content"),
  initial_referring_domain: textField(
    "$referring_domain of the first event that has one",
    first(ofEvent("$referring_domain")),
  ),
  event_count: count("how many events it has", aggregate("count")),
  pageview_count: count("how many of them are page views", countOf("$pageview")),
  autocapture_count: count("how many of them were captured by themselves", countOf("$autocapture")),
} as const satisfies Record<string, SessionField>

export type SessionFieldName = keyof typeof SESSION_FIELDS

/** One row for each session of the project, with all of `SESSION_FIELDS`. */
export function sessionsQuery(project_id: number): Select {
  return {
    columns: Object.entries(SESSION_FIELDS).map(([as, { expr }]) => ({ as, expr })),
    from: { kind: "table", table: "events", alias: EVENTS, project_id },
    where: isNotNull(sessionId),
    groupBy: [sessionId],
  }
}
