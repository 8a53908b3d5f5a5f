/** How DuckDB says functions of RE2 patterns. */
import type { PATTERNS } from "../../../query/functions/patterns.ts"
import { judgePattern, type PatternVerdict } from "../../../query/re2.ts"
import type { Expr } from "../../../query/tree.ts"
import { type Call, constantNumber, once, type Printer, tryOnce } from "./call.ts"
import { printSemverKey } from "./semver.ts"

export const PATTERN_PRINTERS: Readonly<Record<keyof typeof PATTERNS, Printer>> = {
  matches: (call) => printMatches(call, { text: () => call.arg(0), patternIndex: 1 }),
  replaceMatches: printReplaceMatches,
  elementMatches: printElementMatches,
  extractMatch: (call) =>
    printOfPattern(call, "VARCHAR", (text, pattern) => {
      return `regexp_extract(${text}, ${pattern}, ${groupOf(call)})`
    }),
  extractMatches: (call) =>
    printOfPattern(call, "VARCHAR[]", (text, pattern) => {
      const found = `regexp_extract_all(${text}, ${pattern}, ${groupOf(call)})`
      return `list_transform(${found}, lambda "·g": COALESCE("·g", ''))`
    }),
  replacePattern: (call) =>
    printOfPattern(call, "VARCHAR", (text, pattern) => {
      return `regexp_replace(${text}, ${pattern}, ${call.arg(2)}, 'g')`
    }),
  replacePatternFirst: (call) =>
    printOfPattern(call, "VARCHAR", (text, pattern) => {
      return `regexp_replace(${text}, ${pattern}, ${call.arg(2)})`
    }),
  splitPattern: (call) =>
    printOfPattern(call, "VARCHAR[]", (text, pattern) => `string_split_regex(${text}, ${pattern})`),
  semverKey: ({ arg }) => once(arg(0), printSemverKey),
}

function groupOf(call: Call): number {
  const group = constantNumber(call, 2)
  if (!Number.isSafeInteger(group) || group < 0 || group > 9) {
    throw new Error(`a pattern has no group ${group}`)
  }
  return group
}

/**
 * A pattern that is the same for all rows is compiled when the query is bound, and a bad one fails the
 * query there, beyond the reach of TRY. So bad ones never get there, and doubtful ones are made to differ
 * by row: 8 µs a row instead of 0.1, but safe.
 */
function printOfPattern(
  call: Call,
  type: string,
  use: (text: string, pattern: string) => string,
): string {
  const verdict = verdictOn(call.exprs[1])
  if (verdict === "invalid") return `CAST(NULL AS ${type})`
  if (verdict === "valid") return use(call.arg(0), call.arg(1))
  return tryOnce([call.arg(0), call.arg(1)], (text = "", pattern = "") =>
    use(text, `concat(${pattern}, substr(${text}, 1, 0))`),
  )
}

function printMatches(
  { exprs, arg }: Call,
  { text, patternIndex }: { text: () => string; patternIndex: number },
): string {
  const verdict = verdictOn(exprs[patternIndex])
  if (verdict === "invalid") return "CAST(NULL AS BOOLEAN)"
  if (verdict === "valid") return `regexp_matches(${text()}, ${arg(patternIndex)})`
  return tryOnce(
    [text(), arg(patternIndex)],
    (t, pattern) => `regexp_matches(${t}, concat(${pattern}, substr(${t}, 1, 0)))`,
  )
}

function verdictOn(pattern: Expr | undefined): PatternVerdict {
  const isText = pattern?.kind === "value" && pattern.value.type === "text"
  return isText ? judgePattern(pattern.value.value) : "unknown"
}

/** What is no pattern for certain replaces nothing. */
function printReplaceMatches({ exprs, arg }: Call): string {
  if (verdictOn(exprs[1]) !== "valid") return arg(0)
  // Backslashes would refer to groups.
  const literal = `replace(${arg(2)}, '\\', '\\\\')`
  return `regexp_replace(${arg(0)}, ${arg(1)}, ${literal}, 'g')`
}

/** Quotes inside a value are written \" in a chain, so an attribute can not be forged by a value. */
function printElementMatches(call: Call): string {
  const text = () => `replace(v, '\\"', '"')`
  const matches = printMatches(call, { text, patternIndex: 2 })
  const pattern = `concat('[:"]', ${call.arg(1)}, '="((?:[^"\\\\]|\\\\(?s:.))*)"')`
  const values = `regexp_extract_all(${call.arg(0)}, ${pattern}, 1)`
  return `list_bool_or(list_transform(${values}, lambda v: ${matches}))`
}
