/** How DuckDB says each semantic function. A missing one does not compile. */
import type { FunctionName } from "../../../query/functions/index.ts"
import { judgePattern, type PatternVerdict } from "../../../query/re2.ts"
import type { Expr } from "../../../query/tree.ts"
import { printMoment } from "../printer-moments.ts"

interface Call {
  readonly exprs: readonly Expr[]
  /** Prints an argument. Unread ones are never printed: the engine refuses values it has no use for. */
  readonly arg: (index: number) => string
}

const PRINTERS: Readonly<Record<FunctionName, (call: Call) => string>> = {
  coalesce: (call) => `COALESCE(${printAll(call)})`,
  lower: ({ arg }) => `lower(${arg(0)})`,
  contains: ({ arg }) => `contains(${arg(0)}, ${arg(1)})`,
  matches: (call) => printMatches(call, { text: () => call.arg(0), patternIndex: 1 }),
  replaceMatches: printReplaceMatches,
  elementMatches: printElementMatches,
  parseNumber: ({ arg }) => printNumber(arg(0)),
  parseMoment: ({ arg }) => once(arg(0), (text) => printMoment(text, arg(1))),
  addSeconds: ({ arg }) =>
    `(${arg(0)} + to_microseconds(CAST(CAST(${arg(1)} AS DOUBLE) * 1000000 AS BIGINT)))`,
  diffSeconds: ({ arg }) => `(date_sub('microsecond', ${arg(0)}, ${arg(1)}) / 1000000)`,
  diffDays: ({ arg }) => `date_diff('day', ${arg(0)}, ${arg(1)})`,
  diffHours: ({ arg }) =>
    `CAST(floor(date_sub('microsecond', ${arg(0)}, ${arg(1)}) / 3600000000) AS INTEGER)`,
  diffWeeks: ({ arg }) => `CAST(floor(date_diff('day', ${arg(0)}, ${arg(1)}) / 7) AS INTEGER)`,
  diffMonths: ({ arg }) => `date_diff('month', ${arg(0)}, ${arg(1)})`,
  floor: ({ arg }) => `floor(${arg(0)})`,
  least: (call) => `least(${printAll(call)})`,
  greatest: (call) => `greatest(${printAll(call)})`,
  concat: (call) => `(${call.exprs.map((_, index) => call.arg(index)).join(" || ")})`,
  startsWith: ({ arg }) => `starts_with(${arg(0)}, ${arg(1)})`,
  truncateSecond: ({ arg }) => `date_trunc('second', ${arg(0)})`,
  semverKey: ({ arg }) => once(arg(0), printSemverKey),
}

const printAll = ({ exprs, arg }: Call): string => exprs.map((_, index) => arg(index)).join(", ")

export function printCall(
  { name, args }: Extract<Expr, { kind: "call" }>,
  print: (expr: Expr) => string,
): string {
  const arg = (index: number) => {
    const expr = args[index]
    if (expr === undefined) throw new Error(`${name} has no argument ${index}`)
    return print(expr)
  }
  return PRINTERS[name]({ exprs: args, arg })
}

/** The engine also reads 1_000, inf and nan, which are no numbers in JSON: their letters are spoilt. */
export function printNumber(text: string): string {
  return `TRY_CAST(translate(${text}, '_nN', 'xxx') AS DOUBLE)`
}

/** A text that is used many times, such as one taken out of JSON, is had once. */
function once(text: string, use: (name: string) => string): string {
  return `list_transform([${text}], lambda t: ${use("t")})[1]`
}

/**
 * A pattern that is the same for all rows is compiled when the query is bound, and a bad one fails the
 * query there, beyond the reach of TRY. So bad ones never get there, and doubtful ones are made to differ
 * by row: 8 µs a row instead of 0.1, but safe.
 */
function printMatches(
  { exprs, arg }: Call,
  { text, patternIndex }: { text: () => string; patternIndex: number },
): string {
  const verdict = verdictOn(exprs[patternIndex])
  if (verdict === "invalid") return "CAST(NULL AS BOOLEAN)"
  if (verdict === "valid") return `regexp_matches(${text()}, ${arg(patternIndex)})`
  return `TRY(regexp_matches(${text()}, concat(${arg(patternIndex)}, substr(${text()}, 1, 0))))`
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
