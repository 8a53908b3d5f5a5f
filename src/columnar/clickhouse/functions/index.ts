/** How ClickHouse says each semantic function. A missing one does not compile. */
import type { FunctionName } from "../../../query/functions/index.ts"
import { judgePattern, type PatternVerdict } from "../../../query/re2.ts"
import type { Expr } from "../../../query/tree.ts"
import { asFloats } from "../numeric-kinds.ts"
import type { PrintState } from "../printer-state.ts"
import { printMoment } from "./moments.ts"
import { printSemverKey } from "./semver.ts"
import { printNumber } from "./texts.ts"

interface Call {
  readonly exprs: readonly Expr[]
  readonly arg: (index: number) => string
  /** All arguments, as numbers of one type if they are numbers. */
  readonly all: () => readonly string[]
}

const PRINTERS: Readonly<Record<FunctionName, (call: Call) => string>> = {
  coalesce: ({ all }) => `coalesce(${all().join(", ")})`,
  lower: ({ arg }) => `lowerUTF8(${arg(0)})`,
  contains: ({ arg }) => `(position(${arg(0)}, ${arg(1)}) > 0)`,
  matches: (call) => printMatches(call, { text: call.arg(0), patternIndex: 1 }),
  replaceMatches: printReplaceMatches,
  elementMatches: printElementMatches,
  parseNumber: ({ arg }) => printNumber(arg(0)),
  parseMoment: ({ arg }) => once(arg(0), (text) => printMoment(text, arg(1))),
  addSeconds: ({ arg }) => `addMicroseconds(${arg(0)}, toInt64(round(${arg(1)} * 1000000)))`,
  diffSeconds: ({ arg }) => `(${micros(arg(0), arg(1))} / 1000000)`,
  diffDays: ({ arg }) => `dateDiff('day', ${arg(0)}, ${arg(1)}, 'UTC')`,
  diffHours: ({ arg }) => `toInt64(floor(${micros(arg(0), arg(1))} / 3600000000))`,
  diffWeeks: ({ arg }) => `toInt64(floor(dateDiff('day', ${arg(0)}, ${arg(1)}, 'UTC') / 7))`,
  diffMonths: ({ arg }) => `dateDiff('month', ${arg(0)}, ${arg(1)}, 'UTC')`,
  floor: ({ arg }) => `floor(${arg(0)})`,
  least: ({ all }) => `least(${all().join(", ")})`,
  greatest: ({ all }) => `greatest(${all().join(", ")})`,
  concat: ({ all }) => `concat(${all().join(", ")})`,
  startsWith: ({ arg }) => `startsWith(${arg(0)}, ${arg(1)})`,
  truncateSecond: ({ arg }) => `toDateTime64(toStartOfSecond(${arg(0)}), 6, 'UTC')`,
  semverKey: ({ arg }) => once(arg(0), printSemverKey),
}

const BOOLEAN_CALLS: ReadonlySet<FunctionName> = new Set([
  "contains",
  "matches",
  "elementMatches",
  "startsWith",
])

/** Whether the engine answers 0 or 1 where a boolean is meant. */
export function isBooleanCall(name: FunctionName): boolean {
  return BOOLEAN_CALLS.has(name)
}

export function printCall(
  { name, args }: Extract<Expr, { kind: "call" }>,
  state: PrintState,
): string {
  const arg = (index: number) => {
    const expr = args[index]
    if (expr === undefined) throw new Error(`${name} has no argument ${index}`)
    return state.print(expr, state)
  }
  const all = () => asFloats(args, state).map((expr) => state.print(expr, state))
  return PRINTERS[name]({ exprs: args, arg, all })
}

const micros = (from: string, to: string): string =>
  `(toUnixTimestamp64Micro(${to}) - toUnixTimestamp64Micro(${from}))`

/** A text that is used many times is printed once. */
function once(text: string, use: (name: string) => string): string {
  return `arrayMap(x -> ${use("x")}, [${text}])[1]`
}

/** To the engine a dot is also a line end, unless it is told otherwise. */
const asPattern = (pattern: string): string => `concat('(?-s)', ${pattern})`

/** A bad pattern fails the query, so only what is a pattern for certain gets there. */
function printMatches(
  { exprs, arg }: Call,
  { text, patternIndex }: { text: string; patternIndex: number },
): string {
  if (verdictOn(exprs[patternIndex]) === "invalid") return "CAST(NULL, 'Nullable(Bool)')"
  return `match(${text}, ${asPattern(arg(patternIndex))})`
}

function verdictOn(pattern: Expr | undefined): PatternVerdict {
  const isText = pattern?.kind === "value" && pattern.value.type === "text"
  return isText ? judgePattern(pattern.value.value) : "unknown"
}

/** What is no pattern for certain replaces nothing. */
function printReplaceMatches({ exprs, arg }: Call): string {
  if (verdictOn(exprs[1]) !== "valid") return arg(0)
  // Backslashes would refer to groups.
  const literal = `replaceAll(${arg(2)}, '\\\\', '\\\\\\\\')`
  return `replaceRegexpAll(${arg(0)}, ${asPattern(arg(1))}, ${literal})`
}

/** Quotes inside a value are written \" in a chain, so an attribute can not be forged by a value. */
function printElementMatches(call: Call): string {
  const text = `replaceAll(v, '\\\\"', '"')`
  const matches = printMatches(call, { text, patternIndex: 2 })
  const pattern = `concat('[:"]', ${call.arg(1)}, '="((?:[^"\\\\\\\\]|\\\\\\\\(?s:.))*)"')`
  const values = `extractAll(${call.arg(0)}, ${pattern})`
  return once(values, (list) => `if(empty(${list}), NULL, arrayExists(v -> ${matches}, ${list}))`)
}
