/** Short words for trees, and the joins that nobody should write by hand. */
import { type AggregateName, FUNCTIONS, type FunctionName } from "./functions/index.ts"
import { sessionsQuery } from "./sessions.ts"
import type {
  AggregateExpr,
  CompareOperator,
  Expr,
  Join,
  OrderBy,
  PropertyForm,
  PropertyOwner,
  Select,
  TableName,
  TableSource,
  Value,
} from "./tree.ts"
import { listExprsOf, listSourcesOf } from "./walk.ts"

export const text = (value: string): Expr => bound({ type: "text", value })
export const number = (value: number): Expr => bound({ type: "number", value })
export const boolean = (value: boolean): Expr => bound({ type: "boolean", value })
/** UTC, "2026-01-02 03:04:05.678901". */
export const timestamp = (value: string): Expr => bound({ type: "timestamp", value })
export const uuid = (value: string): Expr => bound({ type: "uuid", value })

export const column = (table: string, name: string): Expr => ({
  kind: "column",
  table,
  column: name,
})

export interface PropertyPlace {
  readonly table: string
  readonly of: PropertyOwner
  readonly key: string
}

export const property = (place: PropertyPlace, as: PropertyForm = "text"): Expr => ({
  kind: "property",
  ...place,
  as,
})

export const properties = (table: string, of: PropertyOwner): Expr => ({
  kind: "properties",
  table,
  of,
})

export const and = (...operands: readonly Expr[]): Expr => ({ kind: "and", operands })
export const or = (...operands: readonly Expr[]): Expr => ({ kind: "or", operands })
export const not = (operand: Expr): Expr => ({ kind: "not", operand })
export const isNull = (operand: Expr): Expr => ({ kind: "isNull", operand })
export const isNotNull = (operand: Expr): Expr => not(isNull(operand))

export const eq = (left: Expr, right: Expr): Expr => compare("=", left, right)
export const lt = (left: Expr, right: Expr): Expr => compare("<", left, right)
export const lte = (left: Expr, right: Expr): Expr => compare("<=", left, right)
export const gt = (left: Expr, right: Expr): Expr => compare(">", left, right)
export const gte = (left: Expr, right: Expr): Expr => compare(">=", left, right)

export function compare(operator: CompareOperator, left: Expr, right: Expr): Expr {
  return { kind: "compare", operator, left, right }
}

export const among = (operand: Expr, values: readonly Value[]): Expr => ({
  kind: "in",
  operand,
  values,
})

export const amongTexts = (operand: Expr, values: readonly string[]): Expr =>
  among(
    operand,
    values.map((value) => ({ type: "text", value })),
  )

export const amongUuids = (operand: Expr, values: readonly string[]): Expr =>
  among(
    operand,
    values.map((value) => ({ type: "uuid", value })),
  )

export function call(name: FunctionName, ...args: readonly Expr[]): Expr {
  const wanted = FUNCTIONS[name].args
  if (wanted !== "any" && wanted !== args.length) {
    throw new Error(`${name} takes ${wanted} arguments, not ${args.length}`)
  }
  return { kind: "call", name, args }
}

/** Unknown counts as false, so that `not` of it is true. */
export const orFalse = (expr: Expr): Expr => call("coalesce", expr, boolean(false))

export const aggregate = (name: AggregateName, ...args: readonly Expr[]): AggregateExpr => ({
  kind: "aggregate",
  name,
  args,
})

/** Of the rows for which the condition is true. */
export const aggregateIf = (of: AggregateExpr, filter: Expr): AggregateExpr => ({ ...of, filter })

export const asc = (expr: Expr): OrderBy => ({ expr, direction: "asc", nulls: "last" })
export const desc = (expr: Expr): OrderBy => ({ expr, direction: "desc", nulls: "last" })

export const table = (name: TableName, alias: string, project_id: number): TableSource => ({
  kind: "table",
  table: name,
  alias,
  project_id,
})

/** Aliases that the joins below give, and that filters compile against. */
export const EVENTS = "e"
const OVERRIDES = "o"
export const PERSONS = "p"
export const SESSIONS = "s"

/** Whom an event belongs to now: merged persons count as the person they became. */
export const personOfEvent: Expr = call(
  "coalesce",
  column(OVERRIDES, "person_id"),
  column(EVENTS, "person_id"),
)

export interface EventsSource {
  readonly from: TableSource
  readonly joins: readonly Join[]
}

/** Events that know whose they are (`personOfEvent`), without the persons' own rows. */
export function eventsWithPersonIds(project_id: number): EventsSource {
  const on = eq(column(OVERRIDES, "old_person_id"), column(EVENTS, "person_id"))
  return {
    from: table("events", EVENTS, project_id),
    joins: [{ kind: "left", source: table("overrides", OVERRIDES, project_id), on }],
  }
}

/** Events with the row of their person; events of no or a deleted person have none. */
export function eventsWithPersons(project_id: number): EventsSource {
  const { from, joins } = eventsWithPersonIds(project_id)
  const on = eq(column(PERSONS, "uuid"), personOfEvent)
  return {
    from,
    joins: [...joins, { kind: "left", source: table("persons", PERSONS, project_id), on }],
  }
}

/**
 * A query of events, with the joins that its expressions read and no others: `personOfEvent` brings the
 * overrides, columns of `PERSONS` the persons, `groupAlias(n)` the groups of a type, columns of `SESSIONS`
 * (fields of `SESSION_FIELDS`) the sessions.
 */
export function selectEvents(project_id: number, query: Omit<Select, "from" | "joins">): Select {
  return { ...query, ...eventsReading(project_id, listExprsOf(query)) }
}

/** Events with what these expressions read. */
export function eventsReading(project_id: number, exprs: readonly Expr[]): EventsSource {
  const read = listSourcesOf(exprs)
  const groups = GROUP_TYPE_INDEXES.filter((index) => read.has(groupAlias(index)))
  const { from, joins } = read.has(PERSONS)
    ? eventsWithPersons(project_id)
    : read.has(OVERRIDES)
      ? eventsWithPersonIds(project_id)
      : { from: table("events", EVENTS, project_id), joins: [] }
  const sessions = read.has(SESSIONS) ? [sessionJoin(project_id)] : []
  const groupJoins = groups.map((index) => groupJoin(project_id, index))
  return { from, joins: [...joins, ...groupJoins, ...sessions] }
}

const GROUP_TYPE_INDEXES = [0, 1, 2, 3, 4]

export const groupAlias = (groupTypeIndex: number): string => `g${groupTypeIndex}`

/** The group of one type that an event names in `$group_<index>`. */
function groupJoin(project_id: number, groupTypeIndex: number): Join {
  const alias = groupAlias(groupTypeIndex)
  const key = property({ table: EVENTS, of: "event", key: `$group_${groupTypeIndex}` })
  return {
    kind: "left",
    source: table("groups", alias, project_id),
    on: and(
      eq(column(alias, "group_type_index"), number(groupTypeIndex)),
      eq(column(alias, "group_key"), key),
    ),
  }
}

/** The session that an event names in `$session_id`. */
function sessionJoin(project_id: number): Join {
  const id = property({ table: EVENTS, of: "event", key: "$session_id" })
  return {
    kind: "left",
    source: { kind: "subquery", query: sessionsQuery(project_id), alias: SESSIONS },
    on: eq(column(SESSIONS, "session_id"), id),
  }
}

function bound(value: Value): Expr {
  return { kind: "value", value }
}
