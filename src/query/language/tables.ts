/**
 * The tables of the language. Every table has fixed aliases of the tree (`e` and `o` of events, `p` of persons …)
 * that its fields and links read from; where two sources of a query would meet, `Aliases` gives the second
 * other names.
 */
import {
  call,
  column,
  EVENTS,
  eq,
  eventsReading,
  eventsWithPersonIds,
  number,
  PERSONS,
  personOfEvent,
  SESSIONS,
  table,
} from "../build.ts"
import { sessionsQuery } from "../sessions.ts"
import type { Expr, Join, Select, Source } from "../tree.ts"
import { listSourcesOf } from "../walk.ts"
import {
  eventFields,
  type FieldDefinition,
  field,
  groupFields,
  link,
  personFields,
  personLink,
  sessionFields,
} from "./table-fields.ts"

export interface TableDefinition {
  readonly name: string
  readonly meaning: string
  /** Of its own rows. */
  readonly alias: string
  readonly fields: readonly FieldDefinition[]
  readonly from: (project_id: number) => Source
  /** What these expressions read beyond the table's own rows. */
  readonly joins: (project_id: number, exprs: readonly Expr[]) => readonly Join[]
}

const DISTINCT_IDS = "d"
const MEMBERS = "m"
const OVERRIDDEN = "v"

/** Which person each distinct id sends for, as far as it has sent events. */
function distinctIdsQuery(project_id: number): Select {
  const { from, joins } = eventsWithPersonIds(project_id)
  const person = table("persons", PERSONS, project_id)
  return {
    distinct: true,
    columns: [
      { as: "distinct_id", expr: column(EVENTS, "distinct_id") },
      { as: "person_id", expr: personOfEvent },
    ],
    from,
    joins: [
      ...joins,
      { kind: "inner", source: person, on: eq(column(PERSONS, "uuid"), personOfEvent) },
    ],
  }
}

/** Members as the persons they are now: two that were merged are one. */
function membersQuery(project_id: number): Select {
  const person_id = call("coalesce", column(OVERRIDDEN, "person_id"), column(MEMBERS, "person_id"))
  return {
    distinct: true,
    columns: [
      { as: "person_id", expr: person_id },
      { as: "cohort_id", expr: column(MEMBERS, "cohort_id") },
    ],
    from: table("cohort_members", MEMBERS, project_id),
    joins: [
      {
        kind: "left",
        source: table("overrides", OVERRIDDEN, project_id),
        on: eq(column(OVERRIDDEN, "old_person_id"), column(MEMBERS, "person_id")),
      },
    ],
  }
}

/** The persons of one cohort, as one column. */
export function cohortPersonsQuery(project_id: number, cohort_id: number): Select {
  const members = membersQuery(project_id)
  const isOfCohort = eq(column(MEMBERS, "cohort_id"), number(cohort_id))
  return { ...members, columns: members.columns.slice(0, 1), where: isOfCohort }
}

/** The person that a row names in `person_id`. */
const personJoin =
  (alias: string) =>
  (project_id: number, exprs: readonly Expr[]): readonly Join[] => {
    if (!listSourcesOf(exprs).has(PERSONS)) return []
    const source = table("persons", PERSONS, project_id)
    return [{ kind: "left", source, on: eq(column(PERSONS, "uuid"), column(alias, "person_id")) }]
  }

function distinctIdsJoin(project_id: number, exprs: readonly Expr[]): readonly Join[] {
  if (!listSourcesOf(exprs).has(DISTINCT_IDS)) return []
  const query = distinctIdsQuery(project_id)
  const on = eq(column(DISTINCT_IDS, "person_id"), column(PERSONS, "uuid"))
  return [{ kind: "left", source: { kind: "subquery", query, alias: DISTINCT_IDS }, on }]
}

const none = (): readonly Join[] => []

function memberTable(name: string, meaning: string): TableDefinition {
  return {
    name,
    meaning,
    alias: MEMBERS,
    fields: [
      field(MEMBERS, ["person_id", "uuid", "the member"]),
      field(MEMBERS, ["cohort_id", "integer", "the cohort"]),
      personLink,
    ],
    from: (project_id) => ({ kind: "subquery", query: membersQuery(project_id), alias: MEMBERS }),
    joins: personJoin(MEMBERS),
  }
}

export const LANGUAGE_TABLES: readonly TableDefinition[] = [
  {
    name: "events",
    meaning: "what happened, one row for each event",
    alias: EVENTS,
    fields: eventFields,
    from: (project_id) => table("events", EVENTS, project_id),
    joins: (project_id, exprs) => eventsReading(project_id, exprs).joins,
  },
  {
    name: "persons",
    meaning: "who is known, one row for each person",
    alias: PERSONS,
    fields: [
      ...personFields(PERSONS),
      link("pdi", "the person's distinct ids; a person with several has several rows", [
        field(DISTINCT_IDS, ["distinct_id", "text", "one of the person's distinct ids"]),
      ]),
    ],
    from: (project_id) => table("persons", PERSONS, project_id),
    joins: distinctIdsJoin,
  },
  {
    name: "person_distinct_ids",
    meaning: "which person each distinct id that sent events belongs to",
    alias: DISTINCT_IDS,
    fields: [
      field(DISTINCT_IDS, ["distinct_id", "text", "the id"]),
      field(DISTINCT_IDS, ["person_id", "uuid", "the person"]),
      personLink,
    ],
    from: (project_id) => ({
      kind: "subquery",
      query: distinctIdsQuery(project_id),
      alias: DISTINCT_IDS,
    }),
    joins: personJoin(DISTINCT_IDS),
  },
  {
    name: "groups",
    meaning: "companies, teams and the like, one row for each group",
    alias: "g",
    fields: groupFields("g"),
    from: (project_id) => table("groups", "g", project_id),
    joins: none,
  },
  memberTable("cohort_people", "who is in which cohort"),
  memberTable("static_cohort_people", "the same as cohort_people"),
  {
    name: "sessions",
    meaning: "events with the same $session_id taken together, one row for each session",
    alias: SESSIONS,
    fields: sessionFields,
    from: (project_id) => ({ kind: "subquery", query: sessionsQuery(project_id), alias: SESSIONS }),
    joins: none,
  },
  {
    name: "person_overrides",
    meaning: "persons that were merged into others",
    alias: OVERRIDDEN,
    fields: [
      field(OVERRIDDEN, ["old_person_id", "uuid", "the person that is no more"]),
      field(OVERRIDDEN, ["person_id", "uuid", "the person it became"]),
    ],
    from: (project_id) => table("overrides", OVERRIDDEN, project_id),
    joins: none,
  },
]

const RAW_PREFIX = "raw_"
const byName = new Map(LANGUAGE_TABLES.map((definition) => [definition.name, definition]))

/** By its name; `raw_events` and the like mean the same table. */
export function findLanguageTable(name: string): TableDefinition | undefined {
  const plain = name.startsWith(RAW_PREFIX) ? name.slice(RAW_PREFIX.length) : name
  return byName.get(plain)
}
