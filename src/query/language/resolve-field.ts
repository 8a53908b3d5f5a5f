/** Names with dots: which parameter, alias, source and field they mean. */
import { properties, property } from "../build.ts"
import { isAggregating } from "../walk.ts"
import type { ExprAst, Span } from "./ast.ts"
import { accessMember } from "./resolve-member.ts"
import {
  type Alias,
  asValue,
  type ColumnsInScope,
  type Place,
  type Resolved,
  report,
  type Scope,
  type ScopeSource,
  type TableInScope,
  UNRESOLVED,
  withNullability,
} from "./resolving.ts"
import { suggestName } from "./suggest.ts"
import type { FieldDefinition } from "./table-fields.ts"

type Chain = readonly (string | number)[]

interface Name {
  readonly chain: Chain
  readonly span: Span
}

export function resolveField(
  { chain, span }: Extract<ExprAst, { kind: "field" }>,
  place: Place,
): Resolved {
  const name = { chain, span }
  const head = String(chain[0])
  const rest = chain.slice(1)
  const parameter = place.parameters.get(head)
  if (parameter !== undefined) return follow(parameter, rest, { name, place })
  const source = rest.length > 0 ? findSource(place.scope, head) : undefined
  if (source !== undefined) return readSource(source, rest, { name, place })
  const known = readAlias(head, { name, place }) ?? readAnySource({ name, place })
  return known ?? readNamedExpr({ name, place }) ?? unresolved({ name, place })
}

interface Reading {
  readonly name: Name
  readonly place: Place
}

function findSource({ sources }: Scope, name: string): ScopeSource | undefined {
  return sources.find((source) => source.name === name)
}

function follow(base: Resolved, parts: Chain, { name, place }: Reading): Resolved {
  return parts.reduce<Resolved>(
    (value, part) => accessMember(value, part, { span: name.span, place }),
    base,
  )
}

/** Undefined where the name rather means a field, or nothing. */
function readAlias(head: string, reading: Reading): Resolved | undefined {
  const { name, place } = reading
  const alias = place.scope.aliases.get(head)
  if (alias === undefined) return undefined
  if (alias.isOpen) {
    if (listWithField(place.scope, head).length > 0) return undefined
    const message = `The alias "${head}" is explained by itself.`
    return report(place.work, { code: "unresolved_field", message, span: name.span })
  }
  const resolved = resolveAlias(alias, place)
  const isWrongHere = place.prefersFields && isAggregating(resolved.expr)
  if (isWrongHere && listWithField(place.scope, head).length > 0) return undefined
  return follow(resolved, name.chain.slice(1), reading)
}

export function resolveAlias(alias: Alias, place: Place): Resolved {
  if (alias.resolved !== undefined) return alias.resolved
  alias.isOpen = true
  const neutral = { ...asValue(place), prefersFields: false, parameters: new Map() }
  alias.resolved = place.work.resolveExpr(alias.ast, neutral)
  alias.isOpen = false
  return alias.resolved
}

function readAnySource(reading: Reading): Resolved | undefined {
  const { name, place } = reading
  const head = String(name.chain[0])
  const [first, second] = listWithField(place.scope, head)
  if (first === undefined) return undefined
  if (second !== undefined && !place.scope.shared.has(head)) {
    const names = [first, second].map((source) => `${source.name ?? "…"}.${head}`).join(" or ")
    const message = `Several tables have a field "${head}".`
    const suggestion = `Write ${names}.`
    return report(place.work, { code: "unresolved_field", message, span: name.span, suggestion })
  }
  return readSource(first, name.chain, reading)
}

/** Of what an ARRAY JOIN made, only that: it stands for the array of the same name. */
function listWithField({ sources }: Scope, name: string): readonly ScopeSource[] {
  const having = sources.filter((source) => hasField(source, name))
  const items = having.filter((source) => source.kind === "columns" && source.isOfArrays === true)
  return items.length > 0 ? items : having
}

function hasField(source: ScopeSource, name: string): boolean {
  return listFieldNames(source).includes(name)
}

function listFieldNames(source: ScopeSource): readonly string[] {
  const named = source.kind === "table" ? source.table.fields : source.columns
  return named.map((field) => field.name)
}

function readSource(source: ScopeSource, chain: Chain, reading: Reading): Resolved {
  return source.kind === "table"
    ? readTable(source, chain, { ...reading, fields: source.table.fields, isLinked: false })
    : readColumn(source, chain, reading)
}

function readColumn(source: ColumnsInScope, [head, ...rest]: Chain, reading: Reading): Resolved {
  if (source.isUnknown === true) return UNRESOLVED
  const column = source.columns.find(({ name }) => name === String(head))
  if (column === undefined) {
    return unresolved(
      reading,
      source.columns.map(({ name }) => name),
    )
  }
  const base: Resolved = {
    expr: { kind: "column", table: source.alias, column: column.as },
    type: withNullability(column.type, source.isNullable),
    isLoose: column.isLoose,
  }
  return follow(noted(base, reading), rest, reading)
}

interface TableReading extends Reading {
  readonly fields: readonly FieldDefinition[]
  readonly isLinked: boolean
}

function readTable(source: TableInScope, chain: Chain, reading: TableReading): Resolved {
  const [head, ...rest] = chain
  const field = reading.fields.find(({ name }) => name === head)
  if (field === undefined) {
    return unresolved(
      reading,
      reading.fields.map(({ name }) => name),
    )
  }
  if (field.kind === "link") {
    if (rest.length === 0) return refuseLink(field, reading)
    const isLinked = reading.isLinked || !field.isSameRow
    return readTable(source, rest, { ...reading, fields: field.fields, isLinked })
  }
  if (field.kind === "column") {
    const type = withNullability(field.type, source.isNullable || reading.isLinked)
    const base = { expr: field.read(source.aliases), type, isLoose: field.isLoose }
    return follow(noted(base, reading), rest, reading)
  }
  return readProperty({ table: source.aliases(field.alias), of: field.of }, rest, {
    ...reading,
    isLinked: reading.isLinked || source.isNullable,
  })
}

function readProperty(
  { table, of }: { table: string; of: "event" | "person" | "group" },
  [key, ...rest]: Chain,
  reading: TableReading,
): Resolved {
  if (key === undefined) {
    const isNull = reading.isLinked
    return noted(
      { expr: properties(table, of), type: { kind: "json", isNullable: isNull } },
      reading,
    )
  }
  const expr = property({ table, of, key: String(key) })
  const base: Resolved = { expr, type: { kind: "text", isNullable: true }, isLoose: true }
  return follow(noted(base, reading), rest, reading)
}

function refuseLink(field: FieldDefinition, { name, place }: TableReading): Resolved {
  const names = field.kind === "link" ? field.fields.map((inner) => inner.name).join(", ") : ""
  const message = `"${name.chain.join(".")}" is a row, not a value.`
  const suggestion = `Name one of its fields: ${names}.`
  return report(place.work, { code: "unresolved_field", message, span: name.span, suggestion })
}

function readNamedExpr(reading: Reading): Resolved | undefined {
  const { name, place } = reading
  const head = String(name.chain[0])
  const ast = place.scope.namedExprs.get(head)
  if (ast === undefined) return undefined
  // Behind its own name an expression does not find itself again.
  const namedExprs = new Map([...place.scope.namedExprs].filter(([known]) => known !== head))
  const scope = { ...place.scope, namedExprs }
  return follow(place.work.resolveExpr(ast, { ...place, scope }), name.chain.slice(1), reading)
}

function unresolved({ name, place }: Reading, known?: readonly string[]): Resolved {
  // What a table that does not exist would have, nobody knows.
  if (place.scope.sources.some((source) => source.kind === "columns" && source.isUnknown)) {
    return UNRESOLVED
  }
  const written = name.chain.join(".")
  const candidates = known ?? listKnownNames(place)
  const wanted = String(known === undefined ? name.chain[0] : name.chain.at(-1))
  const meant = suggestName(wanted, candidates)
  const suggestion = meant === undefined ? {} : { suggestion: `Perhaps you meant "${meant}"?` }
  return report(place.work, {
    code: "unresolved_field",
    message: `Unable to resolve field: ${written}`,
    span: name.span,
    ...suggestion,
  })
}

function listKnownNames({ scope, parameters }: Place): readonly string[] {
  return [
    ...parameters.keys(),
    ...scope.aliases.keys(),
    ...scope.sources.flatMap(listFieldNames),
    ...scope.namedExprs.keys(),
  ]
}

/** Remembers what the leaf is called, for messages about it. */
function noted(value: Resolved, { name, place }: Reading): Resolved {
  place.work.origins.set(value.expr, { name: name.chain.join("."), span: name.span })
  return value
}
