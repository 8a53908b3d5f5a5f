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

/** The value of a text that was parsed already: most texts hold nothing that needs to be read again. */
export function exactly(parsed: unknown, text: string): unknown {
  const isDoubtful = hasLongNumber(text) || (hasExtreme(parsed) && EXTREME.test(text))
  return isDoubtful ? JSON.parse(markNumbers(text)) : parsed
}

/** As many digits as any double tells apart, and the dot among them. */
const PLAIN_LENGTH_MAX = 15

/**
 * Whether a number is longer than that. Such a run of digits is on at least one of every so many characters, so
 * only those are looked at: a fiftieth of the time of parsing.
 */
function hasLongNumber(text: string): boolean {
  for (let index = PLAIN_LENGTH_MAX; index < text.length; index += PLAIN_LENGTH_MAX + 1) {
    if (!isDigitOrDot(text.charCodeAt(index))) continue
    let start = index
    while (start > 0 && isDigitOrDot(text.charCodeAt(start - 1))) start -= 1
    let end = index + 1
    while (end < text.length && isDigitOrDot(text.charCodeAt(end))) end += 1
    if (end - start > PLAIN_LENGTH_MAX && isValuePlace(text, start)) return true
    index = end - (end % (PLAIN_LENGTH_MAX + 1)) - 1
  }
  return false
}

function isDigitOrDot(code: number): boolean {
  return (code >= CODE.zero && code <= CODE.nine) || code === CODE.dot
}

/** Not right behind a quote or a letter, as most digits in strings are. */
function isValuePlace(text: string, start: number): boolean {
  const before = text.charAt(text.charAt(start - 1) === "-" ? start - 2 : start - 1)
  return before === "" || ":,[ \n\r\t".includes(before)
}

/** Too large or too small for a double, or next to it. */
const EXTREME = /[eE][-+]?[0-9]{3}/
const PLAIN_MIN = 1e-300

function hasExtreme(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) < PLAIN_MIN || !Number.isFinite(value)
  if (typeof value !== "object" || value === null) return false
  // `in` is faster than making a list, and parsed objects inherit nothing that it would find.
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if ((typeof inner === "number" || typeof inner === "object") && hasExtreme(inner)) return true
  }
  return false
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

const CODE = {
  ...{ quote: 0x22, backslash: 0x5c, colon: 0x3a, dot: 0x2e },
  ...{ zero: 0x30, nine: 0x39, minus: 0x2d },
}

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
