/** Where rows come from: tables with their guards, queries, and the joins between them. */
import type {
  ArraysJoin,
  ClosestJoin,
  Expr,
  Join,
  Select,
  Source,
  TableSource,
} from "../../query/tree.ts"
import { listSourcesOf } from "../../query/walk.ts"
import {
  bind,
  cteName,
  getCte,
  itemName,
  never,
  type PrintState,
  quote,
  type ScopeSource,
  sourceName,
} from "./printer-state.ts"

export type ScopeSources = ReadonlyMap<string, ScopeSource>
type JoinOfSource = Exclude<Join, ArraysJoin>

export function isOfArrays(join: Join): join is ArraysJoin {
  return join.kind === "arrays" || join.kind === "leftArrays"
}

const KEEPS_LEFT: ReadonlySet<Join["kind"]> = new Set(["left", "full", "leftClosest"])
const KEEPS_RIGHT: ReadonlySet<Join["kind"]> = new Set(["right", "full"])

/** Sources whose columns are null in rows that a join keeps without a partner. */
export function listOptional({ from, joins = [] }: Select): ReadonlySet<string> {
  const before: string[] = from === undefined ? [] : [from.alias]
  const optional = new Set<string>()
  for (const join of joins) {
    if (KEEPS_RIGHT.has(join.kind)) for (const alias of before) optional.add(alias)
    if (isOfArrays(join)) continue
    if (KEEPS_LEFT.has(join.kind)) optional.add(join.source.alias)
    before.push(join.source.alias)
  }
  return optional
}

export function printFrom(query: Select, state: PrintState): readonly string[] {
  const { from, joins = [] } = query
  if (from === undefined) return [printWhere(query, [], state)]
  const isPlain = joins.every((join) => isOfArrays(join) || !isSpecial(join))
  const printedJoins = joins.map((join) =>
    isOfArrays(join) ? printArrays(join, state) : printJoin(join, from, state),
  )
  const isGuardOutside = isPlain && from.kind === "table"
  return [
    `FROM ${isPlain ? printSource(from, state) : printWithOne(from, state)}`,
    ...printedJoins,
    printWhere(
      query,
      isGuardOutside ? [printGuard(from, sourceName(from.alias), state)] : [],
      state,
    ),
  ]
}

/** A join that keeps the other side would let rows past a guard in WHERE; one without keys needs some. */
function isSpecial(join: JoinOfSource): boolean {
  return KEEPS_RIGHT.has(join.kind) || !hasKeys(join)
}

function printSource(source: Source, state: PrintState): string {
  const alias = sourceName(source.alias)
  switch (source.kind) {
    case "table":
      return `${quote(source.table)} AS ${alias} FINAL`
    case "subquery":
      return `(${state.printQuery(source.query)}) AS ${alias}`
    case "cte":
      getCte(state, source.name)
      return `${cteName(source.name)} AS ${alias}`
    case "numbers": {
      const count = bind(state.params, "UInt64", Math.max(0, source.count))
      const number = `toInt64(number) + ${bind(state.params, "Int64", source.start)}`
      return `(SELECT ${number} AS "number" FROM numbers(${count})) AS ${alias}`
    }
    default:
      return never(source)
  }
}

/** A table as a query that holds its guard. */
function printGuarded(source: Source, state: PrintState): string {
  if (source.kind !== "table") return printSource(source, state)
  const guard = printGuard(source, undefined, state)
  return `(SELECT * FROM ${quote(source.table)} FINAL WHERE ${guard}) AS ${sourceName(source.alias)}`
}

/** With a column that is the same in all rows: the engine joins by equal keys only. */
function printWithOne(source: Source, state: PrintState): string {
  return `(SELECT *, 1 AS "one" FROM ${printGuarded(source, state)}) AS ${sourceName(source.alias)}`
}

function printGuard(source: TableSource, name: string | undefined, state: PrintState): string {
  if (!Number.isSafeInteger(source.project_id)) {
    throw new Error(`${source.project_id} is no project`)
  }
  const column = name === undefined ? '"project_id"' : `${name}."project_id"`
  return `${column} = ${bind(state.params, "Int32", source.project_id)}`
}

const JOIN_WORDS: Readonly<Record<JoinOfSource["kind"], string>> = {
  left: "LEFT JOIN",
  inner: "INNER JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  cross: "CROSS JOIN",
  closest: "ASOF JOIN",
  leftClosest: "ASOF LEFT JOIN",
}

function printJoin(join: JoinOfSource, from: Source, state: PrintState): string {
  const word = JOIN_WORDS[join.kind]
  if (join.kind === "cross") return `${word} ${printGuarded(join.source, state)}`
  const isKeyed = hasKeys(join)
  const source = isKeyed ? printGuarded(join.source, state) : printWithOne(join.source, state)
  const one = `${sourceName(from.alias)}."one" = ${sourceName(join.source.alias)}."one"`
  const on = "on" in join ? state.printCondition(join.on, state) : printClosest(join, state)
  return `${word} ${source} ON ${isKeyed ? on : `${one} AND ${on}`}`
}

function hasKeys(join: JoinOfSource): boolean {
  if (join.kind === "cross" || join.kind === "inner") return true
  return "keys" in join ? join.keys.length > 0 : hasKeyOf(join.on, join.source.alias)
}

/** Whether the condition needs a column of the source to equal something of the other sources. */
function hasKeyOf(on: Expr, alias: string): boolean {
  if (on.kind === "and") return on.operands.some((operand) => hasKeyOf(operand, alias))
  if (on.kind !== "compare" || on.operator !== "=") return false
  const [left, right] = [listSourcesOf([on.left]), listSourcesOf([on.right])]
  const isKey = (own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    own.size === 1 && own.has(alias) && other.size > 0 && !other.has(alias)
  return isKey(left, right) || isKey(right, left)
}

/** The engine wants the side that is searched on the right. */
const TURNED = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const

function printClosest({ keys, theirs, operator, ours }: ClosestJoin, state: PrintState): string {
  const equal = keys.map(
    ({ left, right }) => `${state.print(left, state)} = ${state.print(right, state)}`,
  )
  const closest = `${state.print(ours, state)} ${TURNED[operator]} ${state.print(theirs, state)}`
  return [...equal, closest].join(" AND ")
}

/** Items that may be missing, of empty or shorter arrays, are null and not empty. */
function printArrays(join: ArraysJoin, state: PrintState): string {
  const isPadded = join.kind === "leftArrays" || join.items.length > 1
  const items = join.items.map(({ as, expr }) => {
    const array = state.print(expr, state)
    const padded = isPadded ? `arrayMap(x -> toNullable(x), ${array})` : array
    return `${padded} AS ${itemName(join, as)}`
  })
  return `${join.kind === "leftArrays" ? "LEFT ARRAY JOIN" : "ARRAY JOIN"} ${items.join(", ")}`
}

function printWhere({ where }: Select, guards: readonly string[], state: PrintState): string {
  const conditions = where === undefined ? guards : [...guards, state.printCondition(where, state)]
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
}
