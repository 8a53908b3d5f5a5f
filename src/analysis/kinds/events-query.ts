/** Events, or figures about them, by expressions of the query language. */
import { z } from "zod"
import type { Row } from "../../columnar/engine.ts"
import { invalid } from "../../lib/errors.ts"
import { parseExact } from "../../lib/exact-json.ts"
import { isUuid } from "../../lib/ids.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import {
  and,
  column,
  EVENTS,
  eq,
  gt,
  lt,
  PERSONS,
  personOfEvent,
  properties,
  selectEvents,
  text,
  timestamp,
  uuid,
} from "../../query/build.ts"
import { columnarTime, parseDateInput } from "../../query/dates.ts"
import { compileFilters } from "../../query/filters/compile.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import {
  type CompiledExpression,
  compileCondition,
  compileExpression,
  compileOrder,
  typeName,
} from "../../query/language/compile.ts"
import type { Expr, OrderBy, SelectColumn } from "../../query/tree.ts"
import { listSourcesOf } from "../../query/walk.ts"
import { type Db, first } from "../../relational/db.ts"
import { askRows, contextFor, type Desk, languageContext } from "../desk.ts"
import { inField, type Kind, parseAsked } from "./kind.ts"
import { ROWS_DEFAULT, ROWS_MAX } from "./language-query.ts"

const EXPRESSIONS_MAX = 100
const expressions = z.array(z.string()).max(EXPRESSIONS_MAX)

const EventsQuery = z.object({
  select: expressions.min(1),
  where: expressions.nullish(),
  properties: z.unknown().optional(),
  fixedProperties: z.unknown().optional(),
  event: z.string().nullish(),
  actionId: z.unknown().optional(),
  personId: z.union([z.string(), z.number()]).nullish(),
  before: z.string().nullish(),
  after: z.string().nullish(),
  orderBy: expressions.nullish(),
  limit: z.number().int().min(0).nullish(),
  offset: z.number().int().min(0).nullish(),
  filterTestAccounts: z.boolean().nullish(),
})
type EventsQuery = z.output<typeof EventsQuery>

const AFTER_DEFAULT = "-24h"
/** Clocks of clients are wrong at times. */
const BEFORE_DEFAULT_MS = 5_000

export const eventsQuery: Kind = {
  names: ["EventsQuery"],

  async answer(asked, desk) {
    const question = parseAsked(EventsQuery, asked)
    const cells = question.select.map((each) => cellOf(each, desk))
    const limit = Math.min(question.limit ?? ROWS_DEFAULT, ROWS_MAX)
    const offset = question.offset ?? 0
    const conditions = await conditionsOf(question, asked, desk)
    // What is the same for all rows orders nothing, and engines refuse it.
    const order = orderOf(question, cells, desk).filter(
      ({ expr, isAggregate }) => isAggregate || listSourcesOf([expr]).size > 0,
    )
    const isGrouped =
      conditions.having.length > 0 ||
      [...cells.map(({ expr }) => expr), ...order].some((each) => each?.isAggregate)
    const rows = await askRows(
      desk,
      selectEvents(desk.project.id, {
        columns: cells.flatMap(({ columns }, index) => named(columns, index)),
        where: and(...conditions.where),
        ...(isGrouped ? { groupBy: groupKeys(cells, order) } : {}),
        ...(conditions.having.length === 0 ? {} : { having: and(...conditions.having) }),
        orderBy: [...order.map(orderKey), ...(isGrouped ? [] : [tieBreak(order)])],
        limit: limit + 1,
        offset,
      }),
    )
    return {
      columns: cells.map(({ name }) => name),
      types: cells.map(({ type }) => type),
      results: rows
        .slice(0, limit)
        .map((row) => cells.map(({ show }, index) => show((as) => row[`${index}_${as}`]))),
      hogql: `SELECT ${question.select.join(", ")} FROM events`,
      hasMore: rows.length > limit,
      limit,
      offset,
    }
  },
}

/** One column of the answer, which may be made of several of the engine's. */
interface Cell {
  readonly name: string
  readonly type: string
  readonly columns: readonly SelectColumn[]
  /** Of a plain expression. */
  readonly expr?: CompiledExpression
  show(read: (as: string) => Row[string]): JsonValue
}

const VALUE = "value"

function cellOf(expression: string, desk: Desk): Cell {
  const whole = WHOLE_CELLS[expression.trim()]
  if (whole !== undefined) return whole(desk)
  const expr = inField("select", () =>
    compileExpression(expression, "events", languageContext(desk)),
  )
  const isJson = expr.type.kind === "json"
  return {
    name: expr.displayName,
    type: typeName(expr.type),
    columns: [{ as: VALUE, expr: expr.expr }],
    expr,
    show: (read) => (isJson ? parsed(read(VALUE)) : ((read(VALUE) ?? null) as JsonValue)),
  }
}

const WHOLE_CELLS: Readonly<Record<string, (desk: Desk) => Cell>> = {
  "*": eventCell,
  person: () => personCell(),
}

const EVENT_COLUMNS = ["uuid", "event", "timestamp", "distinct_id", "elements_chain"] as const

function eventCell({ project }: Desk): Cell {
  return {
    name: "*",
    type: "Tuple",
    columns: [
      ...EVENT_COLUMNS.map((name) => ({ as: name, expr: column(EVENTS, name) })),
      { as: "created_at", expr: column(EVENTS, "received_at") },
      { as: "properties", expr: properties(EVENTS, "event") },
    ],
    show: (read) => ({
      ...Object.fromEntries(EVENT_COLUMNS.map((name) => [name, read(name) as JsonValue])),
      properties: parsed(read("properties")),
      created_at: read("created_at") as JsonValue,
      team_id: project.id,
    }),
  }
}

function personCell(): Cell {
  return {
    name: "person",
    type: "Tuple",
    columns: [
      { as: "uuid", expr: personOfEvent },
      { as: "created_at", expr: column(PERSONS, "created_at") },
      { as: "properties", expr: properties(PERSONS, "person") },
      { as: "distinct_id", expr: column(EVENTS, "distinct_id") },
    ],
    show: (read) => ({
      uuid: read("uuid") as JsonValue,
      created_at: (read("created_at") ?? null) as JsonValue,
      properties: parsed(read("properties") ?? "{}"),
      distinct_id: read("distinct_id") as JsonValue,
    }),
  }
}

const parsed = (value: unknown): JsonValue =>
  typeof value === "string" ? (parseExact(value) as JsonValue) : null

function named(columns: readonly SelectColumn[], index: number): readonly SelectColumn[] {
  return columns.map(({ as, expr }) => ({ as: `${index}_${as}`, expr }))
}

interface OrderKey {
  readonly expr: Expr
  readonly isAggregate: boolean
  readonly direction: "asc" | "desc"
}

const orderKey = ({ expr, direction }: OrderKey): OrderBy => ({ expr, direction, nulls: "last" })

/** So that pages neither lose nor repeat events of the same moment. */
const tieBreak = ([first]: readonly OrderKey[]): OrderBy =>
  orderKey({
    expr: column(EVENTS, "uuid"),
    isAggregate: false,
    direction: first?.direction ?? "asc",
  })

/** As asked; else by the count, the first figure or the time, whatever is selected; else by the first column. */
function orderOf(
  { orderBy, select }: EventsQuery,
  cells: readonly Cell[],
  desk: Desk,
): readonly OrderKey[] {
  if (orderBy && orderBy.length > 0) {
    return inField("orderBy", () =>
      orderBy.map((each) => compileOrder(each, "events", languageContext(desk))),
    )
  }
  const found =
    cells.find(({ name }) => name.replaceAll(/\s/g, "").toLowerCase() === "count()") ??
    cells.find(({ expr }) => expr?.isAggregate)
  if (found?.expr !== undefined) return [{ ...found.expr, direction: "desc" }]
  const at = column(EVENTS, "timestamp")
  const isByTime = select.some((each) => ["*", "timestamp"].includes(each.trim()))
  if (isByTime) return [{ expr: at, isAggregate: false, direction: "desc" }]
  const [firstCell] = cells
  return firstCell?.expr === undefined ? [] : [{ ...firstCell.expr, direction: "asc" }]
}

function groupKeys(cells: readonly Cell[], order: readonly OrderKey[]): readonly Expr[] {
  const plain = cells.filter(({ expr }) => expr?.isAggregate !== true)
  const keys = [
    ...plain.flatMap(({ columns }) => columns.map(({ expr }) => expr)),
    ...order.filter(({ isAggregate }) => !isAggregate).map(({ expr }) => expr),
  ]
  const seen = new Set<string>()
  return keys.filter((key) => {
    const id = JSON.stringify(key)
    return seen.has(id) ? false : seen.add(id) !== undefined
  })
}

async function conditionsOf(question: EventsQuery, asked: JsonObject, desk: Desk) {
  const context = await contextFor(desk, asked)
  const filterContext = {
    ...context,
    target: "events",
  } as const
  const written = (question.where ?? []).map((each) =>
    inField("where", () => compileCondition(each, "events", languageContext(desk))),
  )
  if (question.actionId !== undefined && question.actionId !== null) {
    throw invalid("There are no actions to ask for: name an event instead.", "actionId")
  }
  const filters = [question.properties, question.fixedProperties].map((each) =>
    compileFilters(parsePropertyFilters(each), filterContext),
  )
  const isTesting =
    question.filterTestAccounts === true
      ? [compileFilters(context.testAccountFilters, filterContext)]
      : []
  return {
    where: [
      ...(question.event ? [eq(column(EVENTS, "event"), text(question.event))] : []),
      ...timeBounds(question, desk),
      ...(await personCondition(question, desk)),
      ...filters,
      ...isTesting,
      ...written.filter(({ isAggregate }) => !isAggregate).map(({ expr }) => expr),
    ],
    having: written.filter(({ isAggregate }) => isAggregate).map(({ expr }) => expr),
  }
}

function timeBounds({ before, after }: EventsQuery, { now, project }: Desk): readonly Expr[] {
  const at = column(EVENTS, "timestamp")
  const momentOf = (written: string, attr: string) =>
    timestamp(
      parseDateInput(written, { now, timezone: project.timezone, truncate: false, attr }).time,
    )
  const end = before
    ? momentOf(before, "before")
    : timestamp(columnarTime(now.getTime() + BEFORE_DEFAULT_MS))
  const start = after ?? AFTER_DEFAULT
  return [lt(at, end), ...(start === "all" ? [] : [gt(at, momentOf(start, "after"))])]
}

async function personCondition({ personId }: EventsQuery, { db, project }: Desk) {
  if (personId === undefined || personId === null) return []
  const found = await findPersonUuid(db, project.id, String(personId))
  return found === undefined
    ? [{ kind: "value", value: { type: "boolean", value: false } } as const]
    : [eq(personOfEvent, uuid(found))]
}

async function findPersonUuid(db: Db, projectId: number, name: string) {
  if (isUuid(name)) return name.toLowerCase()
  if (!/^\d{1,15}$/.test(name)) return undefined
  const row = await first(db<{ uuid: string }[]>`
    select uuid from person where project_id = ${projectId} and id = ${Number(name)}`)
  return row?.uuid
}
