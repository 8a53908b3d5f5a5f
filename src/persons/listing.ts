/**
 * Which persons are asked for, newest first: the columnar copies find them and PostgreSQL shows them, because it
 * reads a page of whole persons by their ids far faster than a column store does.
 */
import type { ColumnarEngine, QueryLimits, Row } from "../columnar/engine.ts"
import { isUuid } from "../lib/ids.ts"
import {
  aggregate,
  and,
  call,
  column,
  compare,
  desc,
  eq,
  isNotNull,
  lt,
  lte,
  number,
  or,
  PERSONS,
  property,
  table,
  text,
  timestamp,
  uuid,
} from "../query/build.ts"
import type { Expr, Select } from "../query/tree.ts"
import { type Db, first } from "../relational/db.ts"
import { columnarTime, type Person } from "./person.ts"
import { listPersonsByIds } from "./store.ts"

/** Clocks of clients are wrong at times; whoever is from further ahead is hidden until their time has come. */
const FUTURE_MAX_MS = 24 * 60 * 60 * 1_000

const STREAM_PAGE_SIZE = 5_000
const VALUES_MAX = 20
/** Of the newest persons only: nobody chooses from the values of a whole big project. */
const VALUE_PERSONS_MAX = 100_000

export interface PersonFilter {
  readonly project_id: number
  readonly now: Date
  readonly distinct_id?: string | undefined
  readonly email?: string | undefined
  /** Part of an e-mail address in any case, or a whole distinct id, or a uuid. */
  readonly search?: string | undefined
  /** On the columns and properties of `PERSONS`. */
  readonly condition?: Expr | undefined
}

interface Stores {
  readonly db: Db
  readonly columnar: Pick<ColumnarEngine, "rows">
  readonly limits: QueryLimits
}

/** What rows of `PERSONS` must be; undefined when nobody can be meant. */
export async function conditionOf(db: Db, filter: PersonFilter): Promise<Expr | undefined> {
  const { project_id, distinct_id, email, search, condition } = filter
  const conditions = [isOfPast(filter.now)]
  if (distinct_id !== undefined) {
    const owner = await findOwner(db, project_id, distinct_id)
    if (owner === undefined) return undefined
    conditions.push(eq(column(PERSONS, "id"), number(owner)))
  }
  if (email !== undefined) conditions.push(eq(column(PERSONS, "email"), text(email)))
  if (search !== undefined) {
    conditions.push(isFound(search, await findOwner(db, project_id, search)))
  }
  if (condition !== undefined) conditions.push(condition)
  return and(...conditions)
}

function isOfPast(now: Date): Expr {
  return lte(column(PERSONS, "created_at"), timestamp(columnarTime(latestAt(now).toISOString())))
}

function latestAt(now: Date): Date {
  return new Date(now.getTime() + FUTURE_MAX_MS)
}

/** Whether lists show the person. */
export function isListed(person: Person, now: Date): boolean {
  return new Date(person.created_at) <= latestAt(now)
}

function isFound(search: string, owner: number | undefined): Expr {
  const email = call("lower", column(PERSONS, "email"))
  return or(
    call("contains", email, call("lower", text(search))),
    ...(owner === undefined ? [] : [eq(column(PERSONS, "id"), number(owner))]),
    ...(isUuid(search) ? [eq(column(PERSONS, "uuid"), uuid(search.toLowerCase()))] : []),
  )
}

async function findOwner(db: Db, projectId: number, distinctId: string) {
  const row = await first(db<{ person_id: number }[]>`
    select person_id from person_distinct_id
    where project_id = ${projectId} and distinct_id = ${distinctId}`)
  return row?.person_id
}

interface Matching {
  readonly project_id: number
  readonly where: Expr
}

/** One page, and how many there are in all. */
export async function listPersons(
  stores: Stores,
  matching: Matching,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly results: readonly Person[] }> {
  const { db, columnar, limits } = stores
  const rows = await columnar.rows({ ...rowsOf(matching), ...page }, limits)
  const results = await listPersonsByIds(db, matching.project_id, idsOf(rows))
  // By the rows that were found: a person that is merged away at this moment ends no list.
  const isLastPage = rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  const count = isLastPage ? page.offset + rows.length : await countPersons(stores, matching)
  return { count, results }
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map(({ id }) => Number(id))
}

async function countPersons(
  { columnar, limits }: Stores,
  { project_id, where }: Matching,
): Promise<number> {
  const from = table("persons", PERSONS, project_id)
  const columns = [{ as: "count", expr: aggregate("count") }]
  const [row] = await columnar.rows({ columns, from, where }, limits)
  return Number(row?.count)
}

/**
 * All of them, as pages. Each is a query of its own that goes on behind the last: a caller may take an hour to
 * read them all, and no query should stay open for so long.
 */
export async function* streamPersons(
  { db, columnar, limits }: Stores,
  matching: Matching,
): AsyncGenerator<readonly Person[]> {
  let last: Row | undefined
  for (;;) {
    const { project_id } = matching
    const where = last === undefined ? matching.where : and(matching.where, isBehind(last))
    const select = { ...rowsOf({ project_id, where }), limit: STREAM_PAGE_SIZE }
    const rows = await columnar.rows(select, limits)
    yield await listPersonsByIds(db, project_id, idsOf(rows))
    if (rows.length < STREAM_PAGE_SIZE) return
    last = rows.at(-1)
  }
}

function isBehind(row: Row): Expr {
  const createdAt = column(PERSONS, "created_at")
  const moment = timestamp(columnarTime(String(row.created_at)))
  return or(
    lt(createdAt, moment),
    and(eq(createdAt, moment), lt(column(PERSONS, "id"), number(Number(row.id)))),
  )
}

function rowsOf({ project_id, where }: Matching): Select {
  return {
    columns: [
      { as: "id", expr: column(PERSONS, "id") },
      { as: "created_at", expr: column(PERSONS, "created_at") },
    ],
    from: table("persons", PERSONS, project_id),
    where,
    orderBy: [desc(column(PERSONS, "created_at")), desc(column(PERSONS, "id"))],
  }
}

export interface ValueFilter {
  readonly project_id: number
  readonly now: Date
  readonly key: string
  /** Part of the value, in any case. */
  readonly part?: string | undefined
}

const VALUES = "v"

/** The most frequent values of a property, as text. */
export async function listPropertyValues(
  { columnar, limits }: Pick<Stores, "columnar" | "limits">,
  { project_id, now, key, part }: ValueFilter,
): Promise<readonly { readonly name: string; readonly count: number }[]> {
  const newest: Select = {
    columns: [{ as: "name", expr: property({ table: PERSONS, of: "person", key }) }],
    from: table("persons", PERSONS, project_id),
    where: isOfPast(now),
    orderBy: [desc(column(PERSONS, "created_at")), desc(column(PERSONS, "id"))],
    limit: VALUE_PERSONS_MAX,
  }
  const name = column(VALUES, "name")
  const isPart =
    part === undefined ? [] : [call("contains", call("lower", name), call("lower", text(part)))]
  const rows = await columnar.rows(
    {
      columns: [
        { as: "name", expr: name },
        { as: "count", expr: aggregate("count") },
      ],
      from: { kind: "subquery", query: newest, alias: VALUES },
      where: and(isNotNull(name), compare("!=", name, text("")), ...isPart),
      groupBy: [name],
      orderBy: [desc(aggregate("count")), { expr: name, direction: "asc", nulls: "last" }],
      limit: VALUES_MAX,
    },
    limits,
  )
  return rows.map((row) => ({ name: String(row.name), count: Number(row.count) }))
}
