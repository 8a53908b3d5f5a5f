/** The columns of a SELECT: `*` as what it stands for, and the name of each. */
import type { ExprAst, Span } from "./ast.ts"
import { COLUMNS_MAX } from "./limits.ts"
import { printLanguage } from "./print-language.ts"
import { report, type Scope, type ScopeSource, type Work } from "./resolving.ts"

export interface NamedAst {
  readonly ast: ExprAst
  readonly name: string
}

export function expandColumns(
  columns: readonly ExprAst[],
  { scope, work, span }: { readonly scope: Scope; readonly work: Work; readonly span: Span },
): readonly NamedAst[] {
  const expanded = columns.flatMap((ast) =>
    ast.kind === "star" ? expandStar(ast, scope, work) : [{ ast, name: nameOf(ast, scope) }],
  )
  if (expanded.length <= COLUMNS_MAX) return expanded
  const message = `The query has ${expanded.length} columns; at most ${COLUMNS_MAX} are answered.`
  report(work, { code: "too_complex", message, span })
  return []
}

function expandStar(
  { table, span }: Extract<ExprAst, { kind: "star" }>,
  { sources, shared }: Scope,
  work: Work,
): readonly NamedAst[] {
  const wanted = sources.filter(({ name }) => table === undefined || name === table)
  if (wanted.length === 0) {
    const message =
      table === undefined ? "* needs a FROM to take columns from." : `Unknown table "${table}".`
    report(work, { code: table === undefined ? "unsupported" : "unknown_table", message, span })
  }
  const seen = new Set<string>()
  return wanted.flatMap((source) =>
    listPlainFields(source)
      .filter((name) => !(shared.has(name) && seen.has(name)))
      .map((name) => {
        seen.add(name)
        const chain = source.name === undefined ? [name] : [source.name, name]
        return { ast: { kind: "field", chain, span } as const, name }
      }),
  )
}

function listPlainFields(source: ScopeSource): readonly string[] {
  if (source.kind === "columns") return source.columns.map(({ name }) => name)
  return source.table.fields
    .filter((field) => field.kind === "properties" || (field.kind === "column" && !field.isExtra))
    .map(({ name }) => name)
}

/** Its alias; of a field inside a query its last part, as it is read from outside; else its text. */
function nameOf(ast: ExprAst, { depth }: Scope): string {
  if (ast.kind === "alias") return ast.name
  if (ast.kind === "field" && (depth > 1 || ast.chain.length === 1)) return String(ast.chain.at(-1))
  return printLanguage(ast)
}

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$]*$/
const NAME_MAX_CHARACTERS = 60

/** Names for the tree: plain, and different from each other also for engines that know no case. */
export function treeNames(names: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return names.map((name, index) => {
    const isFine = PLAIN.test(name) && name.length <= NAME_MAX_CHARACTERS
    const plain = isFine && !seen.has(name.toLowerCase()) ? name : `column_${index + 1}`
    const unique = seen.has(plain.toLowerCase()) ? `column_${index + 1}_` : plain
    seen.add(unique.toLowerCase())
    return unique
  })
}
