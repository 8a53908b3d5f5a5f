/** Actors behind a part of an answer, a page at a time. */
import type { ActorSource } from "../insights/insight.ts"
import {
  aggregate,
  amongUuids,
  and,
  call,
  column,
  eq,
  or,
  PERSONS,
  property,
  table,
  text,
} from "../query/build.ts"
import type { Expr, OrderBy, Select } from "../query/tree.ts"
import { askRows, type Desk } from "./desk.ts"

const ACTORS = "a"
const GROUPS = "g"
/** Of a search by a part of a distinct id. */
const FOUND_MAX = 10_000

export interface ActorPage {
  /** How many actors there are that still exist. */
  readonly count: number
  /** How many more have gone since, such as deleted persons. */
  readonly missing: number
  /** `actor_id` and the extras of the source. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface ActorAsked {
  readonly search?: string | undefined
  readonly limit: number
  readonly offset: number
}

export async function listActors(
  desk: Desk,
  source: ActorSource,
  { search, limit, offset }: ActorAsked,
): Promise<ActorPage> {
  const found = search === undefined ? undefined : await isFound(desk, source, search)
  const existing = existingActors(desk, source)
  const where = found === undefined ? {} : { where: found }
  const columns = ["actor_id", ...source.extras].map((name) => ({
    as: name,
    expr: column(ACTORS, name),
  }))
  const orderBy: readonly OrderBy[] = [
    ...source.orderBy.map(({ column: name, direction }) => ({
      expr: column(ACTORS, name),
      direction,
      nulls: "last" as const,
    })),
    { expr: column(ACTORS, "actor_id"), direction: "asc", nulls: "last" },
  ]
  const rows = await askRows(desk, { columns, ...existing, ...where, orderBy, limit, offset })
  return { ...(await countActors(desk, source, { ...existing, ...where })), rows }
}

/** Actors that are still there: persons by their copies, groups by having been described. */
function existingActors({ project }: Desk, { query, actor }: ActorSource) {
  const from = { kind: "subquery", query, alias: ACTORS } as const
  const id = column(ACTORS, "actor_id")
  if (actor.kind === "group") {
    const groups = table("groups", GROUPS, project.id)
    const on = and(
      eq(column(GROUPS, "group_key"), id),
      eq(column(GROUPS, "group_type_index"), {
        kind: "value",
        value: { type: "number", value: actor.index },
      }),
    )
    // A group that only events name is one too.
    return { from, joins: [{ kind: "left", source: groups, on }] } as const
  }
  const persons = table("persons", PERSONS, project.id)
  const on = eq(column(PERSONS, "uuid"), id)
  return { from, joins: [{ kind: "inner", source: persons, on }] } as const
}

async function countActors(
  desk: Desk,
  { query }: ActorSource,
  existing: Omit<Select, "columns">,
): Promise<{ readonly count: number; readonly missing: number }> {
  const columns = [{ as: "count", expr: aggregate("count") }]
  const [listed] = await askRows(desk, { columns, ...existing })
  const count = Number(listed?.count ?? 0)
  if (existing.where !== undefined) return { count, missing: 0 }
  const [all] = await askRows(desk, { columns, from: { kind: "subquery", query, alias: ACTORS } })
  return { count, missing: Number(all?.count ?? 0) - count }
}

/** By a part of the e-mail address, the name or a distinct id; groups by their name or key. */
async function isFound(desk: Desk, { actor }: ActorSource, search: string): Promise<Expr> {
  const holds = (value: Expr): Expr =>
    call("coalesce", call("contains", call("lower", value), text(search.toLowerCase())), {
      kind: "value",
      value: { type: "boolean", value: false },
    })
  if (actor.kind === "group") {
    const name = property({ table: GROUPS, of: "group", key: "name" })
    return or(holds(name), holds(column(ACTORS, "actor_id")))
  }
  const owners = await desk.db<{ uuid: string }[]>`
    select distinct p.uuid from person_distinct_id d join person p on p.id = d.person_id
    where d.project_id = ${desk.project.id}
      and position(lower(${search}) in lower(d.distinct_id)) > 0
    limit ${FOUND_MAX}`
  return or(
    holds(property({ table: PERSONS, of: "person", key: "email" })),
    holds(property({ table: PERSONS, of: "person", key: "name" })),
    amongUuids(
      column(ACTORS, "actor_id"),
      owners.map(({ uuid }) => uuid),
    ),
  )
}
