/** One source of FROM: a table, a query, a named query, or a run of numbers. */
import type { Source } from "../tree.ts"
import type { ExprAst, SourceAst } from "./ast.ts"
import type { FromEntry, SourcePlace } from "./from-entry.ts"
import { NUMBERS_MAX } from "./limits.ts"
import { INTEGER, placeIn, type QueryColumn, report } from "./resolving.ts"
import { suggestName } from "./suggest.ts"
import { findLanguageTable, LANGUAGE_TABLES, type TableDefinition } from "./tables.ts"

export function resolveSource(ast: SourceAst, place: SourcePlace): FromEntry {
  const { from } = ast
  if (ast.sample !== undefined && ast.sample.ratio < 1) refuseSample(ast, place)
  switch (from.kind) {
    case "table":
      return named(from.chain.join("."), ast, place)
    case "query": {
      const { work, scope } = place
      const { query, columns } = work.resolveQuery(from.query, scope, work)
      const alias = aliasOf(place)
      const scoped = {
        kind: "columns",
        name: ast.alias,
        alias,
        columns,
        isNullable: false,
      } as const
      return { scoped, source: { kind: "subquery", query, alias } }
    }
    case "function":
      return numbers(from.name, from.args, { ast, place })
    case "placeholder":
      report(place.work, {
        code: "unsupported",
        message: "A placeholder cannot stand for a table.",
        span: ast.span,
      })
      return nothing(ast, place)
  }
}

const aliasOf = ({ index }: SourcePlace): string => `t${index}`

function named(name: string, ast: SourceAst, place: SourcePlace): FromEntry {
  const query = place.scope.namedQueries.get(name)
  if (query !== undefined) {
    const alias = aliasOf(place)
    const { columns, treeName } = query
    const scopedName = ast.alias ?? name
    return {
      scoped: { kind: "columns", name: scopedName, alias, columns, isNullable: false },
      source: { kind: "cte", name: treeName, alias },
    }
  }
  const table = findLanguageTable(name)
  return table === undefined ? unknownTable(name, ast, place) : ofTable(table, ast, place)
}

/** The first source has the aliases of `build.ts`, which filters are written for. */
function ofTable(table: TableDefinition, ast: SourceAst, place: SourcePlace): FromEntry {
  const own = place.index === 0 ? table.alias : aliasOf(place)
  const aliases =
    place.index === 0
      ? (alias: string) => alias
      : (alias: string) => (alias === table.alias ? own : `${own}.${alias}`)
  const name = ast.alias ?? (ast.from.kind === "table" ? ast.from.chain.join(".") : table.name)
  return {
    scoped: { kind: "table", name, table, aliases, isNullable: false },
    source: { ...table.from(place.work.context.project_id), alias: own },
  }
}

function numbers(
  name: string,
  args: readonly ExprAst[],
  { ast, place }: { readonly ast: SourceAst; readonly place: SourcePlace },
): FromEntry {
  if (name !== "numbers") return unknownTable(`${name}(...)`, ast, place)
  const given = args.map((arg) => wholeNumber(arg, place))
  const [first = 0, second] = given
  const [start, count] = second === undefined ? [0, first] : [first, second]
  const isRight = args.length >= 1 && args.length <= 2 && given.every((each) => each !== undefined)
  if (!isRight || count > NUMBERS_MAX || !Number.isSafeInteger(start + count)) {
    const message = `numbers takes a count of at most ${NUMBERS_MAX}, or a first number and a count.`
    report(place.work, { code: "wrong_arguments", message, span: ast.span })
    return nothing(ast, place)
  }
  const alias = aliasOf(place)
  const column: QueryColumn = { name: "number", as: "number", type: INTEGER, isLoose: false }
  return {
    scoped: {
      kind: "columns",
      name: ast.alias ?? name,
      alias,
      columns: [column],
      isNullable: false,
    },
    source: { kind: "numbers", start, count, alias },
  }
}

function wholeNumber(ast: ExprAst, { scope, work }: SourcePlace): number | undefined {
  const { expr } = work.resolveExpr(ast, placeIn({ ...scope, sources: [] }, work))
  const value = expr.kind === "value" && expr.value.type === "number" ? expr.value.value : undefined
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Tables of the public product that hold what this one does not keep. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ["session_replay_events", "Recordings of sessions are not kept; sessions has what events tell."],
  ["log_entries", "Logs are not kept in tables."],
  ["console_logs_log_entries", "Logs are not kept in tables."],
  ["batch_export_log_entries", "Logs are not kept in tables."],
  ["numbers", "Say how many: numbers(10)."],
])

function unknownTable(name: string, ast: SourceAst, place: SourcePlace): FromEntry {
  const known = [...place.scope.namedQueries.keys(), ...LANGUAGE_TABLES.map((each) => each.name)]
  const meant = suggestName(name, known)
  const hint = meant === undefined ? undefined : `Perhaps you meant "${meant}"?`
  const suggestion = ABSENT.get(name) ?? hint
  report(place.work, {
    code: "unknown_table",
    message: `Unknown table "${name}".`,
    span: ast.span,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return nothing(ast, place)
}

/** Whatever is read from it is no second problem. */
function nothing(ast: SourceAst, place: SourcePlace): FromEntry {
  const alias = aliasOf(place)
  const source: Source = { kind: "numbers", start: 0, count: 0, alias }
  const scoped = {
    kind: "columns",
    name: ast.alias ?? (ast.from.kind === "table" ? ast.from.chain.join(".") : undefined),
    alias,
    columns: [],
    isNullable: true,
    isUnknown: true,
  } as const
  return { scoped, source }
}

function refuseSample({ span }: SourceAst, { work }: SourcePlace): void {
  report(work, {
    code: "unsupported",
    message: "SAMPLE is not supported: every answer is computed from all rows.",
    span,
    suggestion: "Leave it out, or shorten the time with a condition on timestamp.",
  })
}
