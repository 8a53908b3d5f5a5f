/** How ClickHouse says functions of RE2 patterns. To it a dot is also a line break, unless it is told otherwise. */
import type { PATTERNS } from "../../../query/functions/patterns.ts"
import { judgePattern, type PatternVerdict } from "../../../query/re2.ts"
import { type Call, constantNumber, findConstantText, once, type Printer } from "./call.ts"
import { printSemverKey } from "./semver.ts"

export const PATTERN_PRINTERS: Readonly<Record<keyof typeof PATTERNS, Printer>> = {
  matches: (call) => printMatches(call, { text: call.arg(0), patternIndex: 1 }),
  replaceMatches: printReplaceMatches,
  elementMatches: printElementMatches,
  extractMatch: (call) => printOfPattern(call, NO_TEXT, extractOne),
  extractMatches: (call) =>
    printOfPattern(call, "emptyArrayString()", (pattern) => {
      const groups = `extractAllGroupsVertical(ifNull(${call.arg(0)}, ''), ${inGroup(pattern)})`
      return `arrayMap(g -> g[${groupOf(call) + 1}], ${groups})`
    }),
  replacePattern: (call) =>
    printOfPattern(call, NO_TEXT, (pattern) => {
      return `replaceRegexpAll(${call.arg(0)}, ${asPattern(pattern)}, ${call.arg(2)})`
    }),
  replacePatternFirst: (call) =>
    printOfPattern(call, NO_TEXT, (pattern) => {
      return `replaceRegexpOne(${call.arg(0)}, ${asPattern(pattern)}, ${call.arg(2)})`
    }),
  splitPattern: (call) =>
    printOfPattern(call, "emptyArrayString()", (pattern) => {
      return `splitByRegexp(${asPattern(pattern)}, ${call.arg(0)})`
    }),
  semverKey: ({ arg }) => once(arg(0), printSemverKey),
}

const NO_TEXT = "CAST(NULL, 'Nullable(String)')"

const asPattern = (pattern: string): string => `concat('(?-s)', ${pattern})`
const inGroup = (pattern: string): string => `concat('(?-s)(', ${pattern}, ')')`

/** A bad pattern fails the query, so one that is bad for certain never gets there. */
function printOfPattern(
  call: Call,
  none: string,
  use: (pattern: string, call: Call) => string,
): string {
  return verdictOn(call, 1) === "invalid" ? none : use(call.arg(1), call)
}

function extractOne(pattern: string, call: Call): string {
  return once(call.arg(0), (text) => {
    const groups = `extractGroups(ifNull(${text}, ''), ${inGroup(pattern)})`
    return `if(isNull(${text}), NULL, ${groups}[${groupOf(call) + 1}])`
  })
}

function groupOf(call: Call): number {
  const group = constantNumber(call, 2)
  if (!Number.isSafeInteger(group) || group < 0 || group > 9) {
    throw new Error(`a pattern has no group ${group}`)
  }
  return group
}

function printMatches(
  call: Call,
  { text, patternIndex }: { text: string; patternIndex: number },
): string {
  if (verdictOn(call, patternIndex) === "invalid") return "CAST(NULL, 'Nullable(Bool)')"
  return `match(${text}, ${asPattern(call.arg(patternIndex))})`
}

function verdictOn(call: Call, index: number): PatternVerdict {
  const pattern = findConstantText(call, index)
  if (pattern === undefined) return "unknown"
  const verdict = judgePattern(pattern)
  if (verdict !== "unknown") return verdict
  const { params } = call.state
  params.doubtful.add(pattern)
  return params.refused.has(pattern) ? "invalid" : "unknown"
}

/**
 * What is no pattern for certain replaces nothing. A backslash before a digit always refers to a group, so texts
 * with one are put between the parts instead.
 */
function printReplaceMatches(call: Call): string {
  const { arg } = call
  if (verdictOn(call, 1) !== "valid") return arg(0)
  const isPlain = findConstantText(call, 2)?.includes("\\") === false
  if (isPlain) return `replaceRegexpAll(${arg(0)}, ${asPattern(arg(1))}, ${arg(2)})`
  const parts = `splitByRegexp(${asPattern(arg(1))}, ifNull(${arg(0)}, ''))`
  return `if(isNull(${arg(0)}), NULL, arrayStringConcat(${parts}, ${arg(2)}))`
}

/** Quotes inside a value are written \" in a chain, so an attribute can not be forged by a value. */
function printElementMatches(call: Call): string {
  const matches = printMatches(call, { text: `replaceAll(v, '\\\\"', '"')`, patternIndex: 2 })
  const pattern = `concat('[:"]', ${call.arg(1)}, '="((?:[^"\\\\\\\\]|\\\\\\\\(?s:.))*)"')`
  const values = `extractAll(ifNull(${call.arg(0)}, ''), ${pattern})`
  return once(values, (list) => `if(empty(${list}), NULL, arrayExists(v -> ${matches}, ${list}))`)
}
