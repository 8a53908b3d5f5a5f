/**
 * JSON whose numbers survive. A literal that a double cannot hold (a 20-digit id, `1e400`) is kept as text: a
 * string that starts with a marker drawn at start, which nobody outside can know, so no string of theirs is ever
 * taken for a number. Such values must be printed by `stringifyExact`, or the marker itself would be told.
 */
import { randomToken } from "./ids.ts"

const MARKER = `exact-number:${randomToken()}:`
const MARKED = new RegExp(`"${MARKER}([-+.0-9eE]+)"`, "g")

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/

export function parseExact(text: string): unknown {
  return exactly(JSON.parse(text), text)
}

/** The value of a text that was parsed already. Looking at its numbers takes a tenth of the time of parsing. */
export function exactly(parsed: unknown, text: string): unknown {
  const doubt = doubtIn(parsed)
  const isDoubtful = doubt === "real" || (doubt === "zero" && UNDERFLOW.test(text))
  return isDoubtful ? JSON.parse(markNumbers(text)) : parsed
}

/** A zero may be the rest of what is too small for a double. */
const UNDERFLOW = /[eE]-[0-9]{3}/

type Doubt = "none" | "zero" | "real"

function doubtIn(value: unknown): Doubt {
  if (typeof value === "number") return doubtOf(value)
  if (typeof value !== "object" || value === null) return "none"
  let doubt: Doubt = "none"
  // `in` is faster than making a list, and parsed objects inherit nothing that it would find.
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof inner !== "number" && typeof inner !== "object") continue
    const found = doubtIn(inner)
    if (found === "real") return found
    if (found === "zero") doubt = found
  }
  return doubt
}

/** Fifteen digits and a dot, or fewer: a double tells them all apart, unless they are next to nothing. */
const PLAIN_LENGTH_MAX = 16
const PLAIN_MIN = 1e-300

function doubtOf(value: number): Doubt {
  if (value === 0) return "zero"
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? "none" : "real"
  const isPlain = Number.isFinite(value) && Math.abs(value) > PLAIN_MIN
  return isPlain && String(value).length <= PLAIN_LENGTH_MAX ? "none" : "real"
}

export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes(MARKER) ? text.replace(MARKED, "$1") : text
}

/** The literal, when the value is a number that only text can hold. */
export function exactNumberOf(value: unknown): string | undefined {
  return typeof value === "string" && value.startsWith(MARKER)
    ? value.slice(MARKER.length)
    : undefined
}

/** Puts quotes and the marker around each literal that a double would change; strings are stepped over. */
function markNumbers(text: string): string {
  const parts: string[] = []
  let doneIndex = 0
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === CODE.quote) index = endOfString(text, index)
    else if (!isNumberStart(code)) index += 1
    else {
      const end = endOfNumber(text, index)
      const literal = text.slice(index, end)
      if (NUMBER.test(literal) && !isExact(literal) && !isKey(text, end)) {
        parts.push(text.slice(doneIndex, index), `"${MARKER}${literal}"`)
        doneIndex = end
      }
      index = end
    }
  }
  parts.push(text.slice(doneIndex))
  return parts.join("")
}

const CODE = { quote: 0x22, backslash: 0x5c, colon: 0x3a, zero: 0x30, nine: 0x39, minus: 0x2d }

function isNumberStart(code: number): boolean {
  return (code >= CODE.zero && code <= CODE.nine) || code === CODE.minus
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === CODE.quote) return index + 1
    index += code === CODE.backslash ? 2 : 1
  }
  return text.length
}

const NUMBER_END = /[^-+.0-9eE]/g

function endOfNumber(text: string, start: number): number {
  NUMBER_END.lastIndex = start
  return NUMBER_END.test(text) ? NUMBER_END.lastIndex - 1 : text.length
}

/** A bare number before a colon is no JSON, and quotes must not make it some. */
function isKey(text: string, end: number): boolean {
  let index = end
  while (" \n\r\t".includes(text.charAt(index)) && index < text.length) index += 1
  return text.charCodeAt(index) === CODE.colon
}

/** Longer ones are not worth the arithmetic: as text they are right in any case. */
const COMPARED_LENGTH_MAX = 400

/** Whether a double prints as the same number, however it is written: 1.50, 15e-1 and 1.5 are the same. */
function isExact(literal: string): boolean {
  if (literal.length > COMPARED_LENGTH_MAX) return false
  const printed = String(Number(literal))
  return printed === literal || plain(printed) === plain(literal)
}

/** Sign, digits without zeros at either end, and the power of ten of the first digit. */
function plain(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e")
  const isNegative = mantissa.startsWith("-")
  const [whole = "", fraction = ""] = mantissa.slice(isNegative ? 1 : 0).split(".")
  const all = whole + fraction
  const first = firstNonZero(all)
  if (first === all.length) return "0"
  const digits = all.slice(first, endOfDigits(all))
  const power = BigInt(exponent) + BigInt(whole.length - first)
  return `${isNegative ? "-" : ""}${digits}e${power}`
}

function firstNonZero(digits: string): number {
  let index = 0
  while (digits.charCodeAt(index) === CODE.zero) index += 1
  return index
}

function endOfDigits(digits: string): number {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === CODE.zero) end -= 1
  return end
}
