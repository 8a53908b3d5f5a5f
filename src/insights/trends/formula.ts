/** Formulas over series: letters for series in their order, numbers, + - * / and brackets. */
import { invalid } from "../../lib/errors.ts"

export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "series"; readonly index: number }
  | { readonly kind: "negative"; readonly operand: Formula }
  | {
      readonly kind: "binary"
      readonly operator: Operator
      readonly left: Formula
      readonly right: Formula
    }

type Operator = "+" | "-" | "*" | "/"

const LENGTH_MAX = 1_000
const DEPTH_MAX = 100
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z]+)|([-+*/()]))/y

interface Reading {
  readonly tokens: readonly string[]
  next: number
  depth: number
  readonly seriesCount: number
}

/** A formula may be upper or lower case; what does not reckon with the series that are there is refused. */
export function parseFormula(text: string, seriesCount: number): Formula {
  if (text.length > LENGTH_MAX) {
    throw invalid(`A formula may have ${LENGTH_MAX} characters at most.`, "formula")
  }
  const reading: Reading = { tokens: listTokens(text), next: 0, depth: 0, seriesCount }
  const formula = readSum(reading)
  const rest = reading.tokens[reading.next]
  if (rest !== undefined) throw unexpected(rest)
  return formula
}

/** What has no value, such as a division by nothing, is 0. */
export function evaluate(formula: Formula, values: readonly number[]): number {
  const value = reckon(formula, values)
  return Number.isFinite(value) ? value : 0
}

function reckon(formula: Formula, values: readonly number[]): number {
  switch (formula.kind) {
    case "number":
      return formula.value
    case "series":
      return values[formula.index] ?? 0
    case "negative":
      return -reckon(formula.operand, values)
    case "binary":
      return OPERATIONS[formula.operator](
        reckon(formula.left, values),
        reckon(formula.right, values),
      )
  }
}

const OPERATIONS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
}

function listTokens(text: string): readonly string[] {
  const tokens: string[] = []
  const trimmed = text.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(trimmed)
    if (match === null) throw unexpected(trimmed.slice(at).trim().slice(0, 10))
    tokens.push(match[1] ?? match[2] ?? match[3] ?? "")
  }
  return tokens
}

function readSum(reading: Reading): Formula {
  let left = readProduct(reading)
  for (;;) {
    const operator = takeOperator(reading, ["+", "-"])
    if (operator === undefined) return left
    left = { kind: "binary", operator, left, right: readProduct(reading) }
  }
}

function readProduct(reading: Reading): Formula {
  let left = readOperand(reading)
  for (;;) {
    const operator = takeOperator(reading, ["*", "/"])
    if (operator === undefined) return left
    left = { kind: "binary", operator, left, right: readOperand(reading) }
  }
}

function takeOperator(reading: Reading, wanted: readonly Operator[]): Operator | undefined {
  const token = reading.tokens[reading.next]
  const found = wanted.find((operator) => operator === token)
  if (found !== undefined) reading.next += 1
  return found
}

function readOperand(reading: Reading): Formula {
  const token = reading.tokens[reading.next]
  if (token === undefined) throw unexpected("its end")
  reading.next += 1
  if (token === "(" || token === "-") return readNested(reading, token)
  if (/^[\d.]/.test(token)) return { kind: "number", value: Number(token) }
  if (/^[A-Za-z]$/.test(token)) return readSeries(token, reading.seriesCount)
  throw unexpected(token)
}

function readNested(reading: Reading, token: "(" | "-"): Formula {
  reading.depth += 1
  if (reading.depth > DEPTH_MAX) throw invalid("The formula is nested too deeply.", "formula")
  const operand = token === "(" ? readSum(reading) : readOperand(reading)
  reading.depth -= 1
  if (token === "-") return { kind: "negative", operand }
  const end = reading.tokens[reading.next]
  if (end !== ")") throw unexpected(end ?? "its end")
  reading.next += 1
  return operand
}

function readSeries(letter: string, seriesCount: number): Formula {
  const index = letter.toUpperCase().charCodeAt(0) - "A".charCodeAt(0)
  if (index < seriesCount) return { kind: "series", index }
  throw invalid(
    `The formula names ${letter}, but there ${seriesCount === 1 ? "is one series" : `are ${seriesCount} series`}.`,
    "formula",
  )
}

function unexpected(token: string) {
  return invalid(
    `The formula is wrong at ${token}: it may hold letters of series, numbers, + - * / and brackets.`,
    "formula",
  )
}
