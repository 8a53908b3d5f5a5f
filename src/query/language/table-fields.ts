/** The fields of the language's tables: name, type, meaning, and what each is in the tree. */
import { column, EVENTS, groupAlias, PERSONS, personOfEvent, property, SESSIONS } from "../build.ts"
import { SESSION_FIELDS } from "../sessions.ts"
import type { Expr, PropertyOwner } from "../tree.ts"
import type { ScalarKind, Type } from "../types.ts"

/** From an alias as written here to the alias in the query at hand. */
export type Aliases = (alias: string) => string

export type FieldDefinition = ColumnField | PropertiesField | LinkField

interface FieldNaming {
  readonly name: string
  readonly meaning: string
}

interface ColumnField extends FieldNaming {
  readonly kind: "column"
  readonly type: Type
  /** Whether `*` leaves it out: it costs more than a column, or says nothing new. */
  readonly isExtra: boolean
  /** Whether it is text only because any JSON value can be written as one. */
  readonly isLoose: boolean
  readonly read: (aliases: Aliases) => Expr
}

/** All properties of a row; `.key` reads one. */
interface PropertiesField extends FieldNaming {
  readonly kind: "properties"
  readonly of: PropertyOwner
  readonly alias: string
}

/** Leads to fields of another row, which is joined where one of them is read; they may be missing. */
interface LinkField extends FieldNaming {
  readonly kind: "link"
  readonly fields: readonly FieldDefinition[]
  /** A link to the same row: its fields are missing no more than the others. */
  readonly isSameRow: boolean
}

const GROUP_INDEXES = [0, 1, 2, 3, 4]

const scalar = (kind: ScalarKind, isNullable = false): Type => ({ kind, isNullable })

interface ColumnOptions {
  readonly isExtra?: boolean
  readonly isNullable?: boolean
  /** Of the tree; the field's own name unless told. */
  readonly column?: string
}

/** A plain column, from its name, kind and meaning. */
export function field(
  alias: string,
  [name, kind, meaning]: readonly [name: string, kind: ScalarKind, meaning: string],
  options: ColumnOptions = {},
): ColumnField {
  const { isExtra = false, isNullable = false } = options
  const type = scalar(kind, isNullable)
  const read = (aliases: Aliases) => column(aliases(alias), options.column ?? name)
  return { kind: "column", name, type, meaning, isExtra, isLoose: false, read }
}

export function link(name: string, meaning: string, fields: readonly FieldDefinition[]): LinkField {
  return { kind: "link", name, meaning, fields, isSameRow: false }
}

const propertiesField = (alias: string, of: PropertyOwner): PropertiesField => ({
  kind: "properties",
  name: "properties",
  meaning: `all properties of the ${of}; properties.key reads one, as text`,
  of,
  alias,
})

/** A property of events under a name of its own. */
function propertyField(key: string, meaning: string): ColumnField {
  const read = (aliases: Aliases) => property({ table: aliases(EVENTS), of: "event", key })
  const type = scalar("text", true)
  return { kind: "column", name: key, type, meaning, isExtra: true, isLoose: true, read }
}

export function personFields(alias: string): readonly FieldDefinition[] {
  return [
    field(alias, ["id", "uuid", "the person's uuid"], { column: "uuid" }),
    field(alias, ["created_at", "moment", "when the person was first seen"]),
    propertiesField(alias, "person"),
    field(alias, ["is_identified", "boolean", "whether somebody said who it is"]),
  ]
}

export function groupFields(alias: string): readonly FieldDefinition[] {
  return [
    field(alias, ["index", "integer", "number of the group's type"], {
      column: "group_type_index",
    }),
    field(alias, ["key", "text", "the group's key"], { column: "group_key" }),
    field(alias, ["created_at", "moment", "when the group was first seen"]),
    propertiesField(alias, "group"),
  ]
}

export const sessionFields: readonly FieldDefinition[] = Object.entries(SESSION_FIELDS).map(
  ([name, { type, meaning }]) => ({
    kind: "column",
    name,
    type,
    meaning,
    isExtra: false,
    isLoose: false,
    read: (aliases: Aliases) => column(aliases(SESSIONS), name),
  }),
)

export const personLink = link("person", "the person of the row", personFields(PERSONS))

const eventPersonId: ColumnField = {
  kind: "column",
  name: "person_id",
  type: scalar("uuid"),
  meaning: "whose event it is: of merged persons, the one they became",
  isExtra: true,
  isLoose: false,
  read: (aliases) => renamed(personOfEvent, aliases),
}

const distinctId = field(EVENTS, ["distinct_id", "text", "id under which the event was sent"])

export const eventFields: readonly FieldDefinition[] = [
  field(EVENTS, ["uuid", "uuid", "the event's uuid"]),
  field(EVENTS, ["event", "text", "its name"]),
  propertiesField(EVENTS, "event"),
  field(EVENTS, ["timestamp", "moment", "when it happened"]),
  distinctId,
  field(EVENTS, ["elements_chain", "text", "the elements of an autocaptured event"]),
  field(EVENTS, ["created_at", "moment", "when it was received"], { column: "received_at" }),
  propertyField("$session_id", "id of its session"),
  propertyField("$window_id", "id of the browser's window"),
  eventPersonId,
  { ...personLink, meaning: "the person whose event it is" },
  { ...personLink, name: "poe", meaning: "the same as person" },
  {
    ...link("pdi", "whom the distinct id belongs to", [distinctId, eventPersonId, personLink]),
    isSameRow: true,
  },
  ...GROUP_INDEXES.map((index) =>
    propertyField(`$group_${index}`, `key of the event's group of type ${index}`),
  ),
  ...GROUP_INDEXES.flatMap((index) => {
    const fields = groupFields(groupAlias(index))
    return [
      link(`group_${index}`, `the event's group of type ${index}`, fields),
      link(`goe_${index}`, `the same as group_${index}`, fields),
    ]
  }),
  link("session", "the event's session", sessionFields),
]

/** The expression with its columns and properties under other aliases. */
function renamed(expr: Expr, aliases: Aliases): Expr {
  if (expr.kind === "column") return { ...expr, table: aliases(expr.table) }
  if (expr.kind === "call") {
    return { ...expr, args: expr.args.map((arg) => renamed(arg, aliases)) }
  }
  return expr
}
