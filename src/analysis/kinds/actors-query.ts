/** Persons, all or those behind a part of an insight, as rows. */
import { z } from "zod"
import type { ActorSource, Insight } from "../../insights/insight.ts"
import { invalid } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { displayNameOf } from "../../persons/display-name.ts"
import type { Person } from "../../persons/person.ts"
import { findNameKeys, listPersonsByUuids } from "../../persons/store.ts"
import { call, column, PERSONS, table } from "../../query/build.ts"
import { compileFilters } from "../../query/filters/compile.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import { compileQuery } from "../../query/language/compile.ts"
import type { Query } from "../../query/tree.ts"
import { listActors } from "../actors.ts"
import { contextFor, type Desk, languageContext, runPlan } from "../desk.ts"
import { findInsight } from "./insight-kinds.ts"
import { type Kind, parseAsked } from "./kind.ts"
import { languageQuery, ROWS_DEFAULT, ROWS_MAX } from "./language-query.ts"

const ActorsQuery = z.object({
  source: z.custom<JsonObject>(isJsonObject).nullish(),
  select: z.array(z.string()).nullish(),
  search: z.string().nullish(),
  properties: z.unknown().optional(),
  fixedProperties: z.unknown().optional(),
  orderBy: z.array(z.string()).nullish(),
  limit: z.number().int().min(0).nullish(),
  offset: z.number().int().min(0).nullish(),
})

const SELECT_DEFAULT = ["person", "id", "created_at", "person.$delete"]

export const actorsQuery: Kind = {
  names: ["ActorsQuery", "PersonsQuery"],

  async answer(asked, desk) {
    const question = parseAsked(ActorsQuery, asked)
    const select = question.select ?? SELECT_DEFAULT
    const cells = select.map(cellOf)
    const limit = Math.min(question.limit ?? ROWS_DEFAULT, ROWS_MAX)
    const offset = question.offset ?? 0
    const all = await sourceOf(question.source ?? undefined, desk)
    const source = orderedSource(await filtered(all, question, desk), question.orderBy ?? [])
    const search = question.search ?? undefined
    const page = await listActors(desk, source, { search, limit: limit + 1, offset })
    const rows = page.rows.slice(0, limit)
    const persons = await personsOf(desk, source, rows)
    return {
      columns: select,
      types: cells.map(({ type }) => type),
      results: rows.flatMap((row) => {
        const actor = persons.get(String(row.actor_id))
        return actor === undefined ? [] : [cells.map(({ show }) => show(actor, row))]
      }),
      hasMore: page.rows.length > limit,
      limit,
      offset,
      missing_actors_count: page.missing,
    }
  },
}

interface Cell {
  readonly type: string
  show(actor: JsonObject, row: Readonly<Record<string, unknown>>): JsonValue
}

function cellOf(name: string): Cell {
  switch (name.trim()) {
    case "person":
    case "actor":
    case "group":
      return { type: "Tuple", show: (actor) => actor }
    case "person.$delete":
      return { type: "String", show: () => null }
    default:
      return {
        type: "String",
        show: (actor, row) => (actor[name] ?? row[name] ?? propertyOf(actor, name)) as JsonValue,
      }
  }
}

function propertyOf(actor: JsonObject, name: string): JsonValue {
  const key = /^(?:person\.)?properties\.(.+)$/.exec(name)?.[1]
  if (key === undefined || !isJsonObject(actor.properties)) {
    throw invalid(
      `"${name}" cannot be selected: take person, id, created_at, properties.<key> or what the source knows.`,
      "select",
    )
  }
  return Object.hasOwn(actor.properties, key) ? (actor.properties[key] ?? null) : null
}

/** Kinds of sources that name a part of an insight's answer. */
const INSIGHT_SOURCES = [
  "InsightActorsQuery",
  "FunnelsActorsQuery",
  "FunnelCorrelationActorsQuery",
  "StickinessActorsQuery",
  "RetentionActorsQuery",
  "PathsActorsQuery",
]

/** Who is asked about: everybody, the rows of a text, or those behind a part of an insight's answer. */
async function sourceOf(source: JsonObject | undefined, desk: Desk): Promise<ActorSource> {
  if (source === undefined) return everybody(desk)
  if (languageQuery.names.includes(String(source.kind))) return idsOf(source, desk)
  const insight = isJsonObject(source.source) ? findInsight(source.source.kind) : undefined
  if (!INSIGHT_SOURCES.includes(String(source.kind)) || insight === undefined) {
    throw invalid(
      `"${source.kind}" is no source of actors: take HogQLQuery or InsightActorsQuery with an insight as its source.`,
      "source",
    )
  }
  return actorsOf({ insight, asked: source.source as JsonObject, selection: source }, desk)
}

async function actorsOf(
  part: {
    readonly insight: Insight<unknown, unknown>
    readonly asked: JsonObject
    readonly selection: JsonObject
  },
  desk: Desk,
): Promise<ActorSource> {
  const { insight, asked, selection } = part
  const context = await contextFor(desk, [asked, selection])
  const question = parseAsked(insight.schema, asked)
  const selected = parseAsked(insight.selection, selection)
  return runPlan(insight.actors(question, selected, context), desk)
}

function everybody({ project }: Desk): ActorSource {
  const query: Query = {
    columns: [
      { as: "actor_id", expr: column(PERSONS, "uuid") },
      { as: "created_at", expr: column(PERSONS, "created_at") },
    ],
    from: table("persons", PERSONS, project.id),
  }
  return {
    query,
    actor: { kind: "person" },
    extras: ["created_at"],
    orderBy: [{ column: "created_at", direction: "desc" }],
  }
}

const ANSWERED = "r"

/** The first column of a text's rows. */
function idsOf(source: JsonObject, desk: Desk): ActorSource {
  const text = typeof source.query === "string" ? source.query : ""
  const compiled = compileQuery(text, { ...languageContext(desk), rowsDefault: ROWS_MAX - 1 })
  const [first] = compiled.columns
  if (!["uuid", "text"].includes(first?.type.kind ?? "")) {
    throw invalid("The first column of the source must be ids of persons.", "source")
  }
  const id = column(ANSWERED, first?.key ?? "")
  return {
    query: {
      distinct: true,
      columns: [{ as: "actor_id", expr: first?.type.kind === "uuid" ? id : call("parseUuid", id) }],
      from: { kind: "subquery", query: compiled.query, alias: ANSWERED },
    },
    actor: { kind: "person" },
    extras: [],
    orderBy: [],
  }
}

/** Only those whom the filters let through. */
async function filtered(
  source: ActorSource,
  { properties, fixedProperties }: z.output<typeof ActorsQuery>,
  desk: Desk,
): Promise<ActorSource> {
  const groups = [properties, fixedProperties].map((each) => parsePropertyFilters(each))
  if (groups.every(({ members }) => members.length === 0)) return source
  const context = await contextFor(desk, [properties, fixedProperties] as JsonValue)
  const where = groups.map((group) =>
    compileFilters(group, {
      project_id: context.project_id,
      now: context.now,
      timezone: context.timezone,
      pathCleaning: context.pathCleaning,
      personsByDistinctId: context.personsByDistinctId,
      target: "persons",
    }),
  )
  const persons: Query = {
    columns: [{ as: "uuid", expr: column(PERSONS, "uuid") }],
    from: table("persons", PERSONS, desk.project.id),
    where: { kind: "and", operands: where },
  }
  const names = ["actor_id", ...source.extras]
  return {
    ...source,
    query: {
      columns: names.map((name) => ({ as: name, expr: column(ANSWERED, name) })),
      from: { kind: "subquery", query: source.query, alias: ANSWERED },
      where: { kind: "inQuery", operand: column(ANSWERED, "actor_id"), query: persons },
    },
  }
}

/** By columns that the source knows. */
function orderedSource(source: ActorSource, orderBy: readonly string[]): ActorSource {
  if (orderBy.length === 0) return source
  const keys = orderBy.map((each) => {
    const [, name = "", direction] = /^\s*(\S+?)(?:\s+(asc|desc))?\s*$/i.exec(each) ?? []
    const known = name === "id" ? "actor_id" : name
    if (known !== "actor_id" && !source.extras.includes(known)) {
      throw invalid(`Actors cannot be ordered by "${each}".`, "orderBy")
    }
    return {
      column: known,
      direction: direction?.toLowerCase() === "desc" ? "desc" : "asc",
    } as const
  })
  return { ...source, orderBy: keys }
}

async function personsOf(
  { db, project }: Desk,
  { actor }: ActorSource,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const ids = rows.map(({ actor_id }) => String(actor_id))
  if (actor.kind === "group") {
    return new Map(ids.map((id) => [id, { id, type: "group", group_type_index: actor.index }]))
  }
  const nameKeys = await findNameKeys(db, project.id)
  const persons = await listPersonsByUuids(db, project.id, ids.filter(isUuid))
  return new Map(
    persons.map((person) => [person.uuid, shown(person, displayNameOf(person, nameKeys))]),
  )
}

const shown = (person: Person, name: string): JsonObject => ({
  id: person.uuid,
  name,
  distinct_ids: [...person.distinct_ids],
  properties: person.properties,
  created_at: person.created_at,
  is_identified: person.is_identified,
})
