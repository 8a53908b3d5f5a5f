/** Names and constants as the lexer reads them back. */
import { printQuoted } from "./lexer-quotes.ts"
import { CALLABLE, CONSTANT_WORDS, NO_BARE_ALIAS } from "./tokens.ts"

const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$]*$/
/** Words that mean something else in some place where a name may stand. */
const AMBIGUOUS = new Set(["interval", "cohort", "cast", "recursive"])

export function printName(name: string): string {
  const word = name.toLowerCase()
  const isWord = NO_BARE_ALIAS.has(word) || CONSTANT_WORDS.has(word) || AMBIGUOUS.has(word)
  return PLAIN.test(name) && !isWord ? name : printQuoted(name, "`")
}

export function printFunctionName(name: string): string {
  return CALLABLE.has(name.toLowerCase()) ? name : printName(name)
}

/** Behind a point every word is a name. */
export function printMember(name: string | number): string {
  if (typeof name === "number") return BigInt(name).toString()
  return PLAIN.test(name) ? name : printQuoted(name, "`")
}

export function printChain([first, ...rest]: readonly (string | number)[]): string {
  return [printName(String(first)), ...rest.map(printMember)].join(".")
}

export function printConstant(value: string | number | boolean | null): string {
  if (typeof value === "string") return printQuoted(value, "'")
  if (typeof value !== "number") return String(value)
  if (Number.isNaN(value)) return "nan"
  const sign = value < 0 || Object.is(value, -0) ? "-" : ""
  const size = Math.abs(value)
  if (size === Number.POSITIVE_INFINITY) return `${sign}inf`
  // Digits that are only nearly right would not be accepted again.
  const isRounded = Number.isInteger(size) && !Number.isSafeInteger(size)
  return sign + (isRounded ? size.toExponential() : String(size))
}
