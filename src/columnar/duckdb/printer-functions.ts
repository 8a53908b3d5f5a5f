/** How DuckDB says each semantic function. A missing one does not compile. */
import type { FunctionName } from "../../query/functions.ts"
import { judgePattern } from "../../query/re2.ts"
import type { Expr } from "../../query/tree.ts"
import { printMoment } from "./printer-moments.ts"
import type { PrintState } from "./printer-state.ts"

interface Call {
  /** The printed arguments. */
  readonly args: readonly string[]
  readonly exprs: readonly Expr[]
  readonly state: PrintState
}

const PRINTERS: Readonly<Record<FunctionName, (call: Call) => string>> = {
  coalesce: ({ args }) => `COALESCE(${args.join(", ")})`,
  lower: ({ args: [text] }) => `lower(${text})`,
  contains: ({ args: [text, part] }) => `contains(${text}, ${part})`,
  matches: (call) => printMatches(String(call.args[0]), call, 1),
  replaceMatches: printReplaceMatches,
  elementMatches: printElementMatches,
  parseNumber: ({ args: [text] }) => printNumber(String(text)),
  parseMoment: ({ args: [text, zone] }) => printMoment(String(text), String(zone)),
  truncateSecond: ({ args: [moment] }) => `date_trunc('second', ${moment})`,
  semverKey: ({ args: [text] }) => printSemverKey(String(text)),
}

export function printCall(
  expr: Extract<Expr, { kind: "call" }>,
  args: readonly string[],
  state: PrintState,
): string {
  return PRINTERS[expr.name]({ args, exprs: expr.args, state })
}

/** The engine also reads 1_000, which no number in JSON or text means elsewhere. */
export function printNumber(text: string): string {
  return `CASE WHEN contains(${text}, '_') THEN NULL ELSE TRY_CAST(${text} AS DOUBLE) END`
}

/**
 * A pattern that is the same for all rows is compiled when the query is bound, and a bad one fails the
 * query there, beyond the reach of TRY. So bad ones never get there, and doubtful ones are made to differ
 * by row: 8 µs a row instead of 0.1, but safe.
 */
function printMatches(text: string, { args, exprs }: Call, patternIndex: number): string {
  const printed = String(args[patternIndex])
  const pattern = exprs[patternIndex]
  const verdict =
    pattern?.kind === "value" && pattern.value.type === "text"
      ? judgePattern(pattern.value.value)
      : "unknown"
  if (verdict === "valid") return `regexp_matches(${text}, ${printed})`
  if (verdict === "invalid") return "CAST(NULL AS BOOLEAN)"
  return `TRY(regexp_matches(${text}, concat(${printed}, substr(${text}, 1, 0))))`
}

function printReplaceMatches({ args: [text, pattern, replacement], exprs }: Call): string {
  const expr = exprs[1]
  const isSafe =
    expr?.kind === "value" &&
    expr.value.type === "text" &&
    judgePattern(expr.value.value) === "valid"
  // Backslashes would refer to groups.
  const literal = `replace(${replacement}, '\\', '\\\\')`
  return isSafe ? `regexp_replace(${text}, ${pattern}, ${literal}, 'g')` : String(text)
}

/** Quotes inside a value are written \" in a chain, so an attribute can not be forged by a value. */
function printElementMatches(call: Call): string {
  const [chain, attribute] = call.args
  const matches = printMatches(`replace(v, '\\"', '"')`, call, 2)
  const values = `regexp_extract_all(${chain}, concat('[:"]', ${attribute}, '="((?:[^"\\\\]|\\\\.)*)"'), 1)`
  return `list_bool_or(list_transform(${values}, lambda v: ${matches}))`
}

const SEMVER =
  "'\\s*v?(\\d{1,18})(?:\\.(\\d{1,18}))?(?:\\.(\\d{1,18}))?(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?\\s*'"

/**
 * Text whose byte order is the precedence of versions: padded numbers, then "~" for a release or "-" and
 * the pre-release identifiers (numeric ones first), with a separator lower than any character in them.
 */
function printSemverKey(version: string): string {
  const part = (group: number) => `regexp_extract(${version}, ${SEMVER}, ${group})`
  const padded = (group: number) => `lpad(${part(group)}, 18, '0')`
  const identifier =
    "CASE WHEN regexp_full_match(i, '\\d{1,18}') THEN '0' || lpad(i, 18, '0') ELSE '1' || i END"
  const identifiers = `array_to_string(list_transform(string_split(${part(4)}, '.'), lambda i: ${identifier}), chr(1))`
  const release = `CASE WHEN ${part(4)} = '' THEN '~' ELSE '-' || ${identifiers} END`
  const key = `${padded(1)} || ${padded(2)} || ${padded(3)} || ${release}`
  return `CASE WHEN regexp_full_match(${version}, ${SEMVER}) THEN ${key} END`
}
