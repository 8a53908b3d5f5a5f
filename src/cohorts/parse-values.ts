/** The small values that conditions are made of. */
import { DomainError, invalid } from "../lib/errors.ts"
import type { JsonObject } from "../lib/json.ts"
import { type PropertyGroup, parsePropertyFilters } from "../query/filters/parse.ts"

const SHOWN_CHARACTERS = 60

export function wrong(detail: string): DomainError {
  return invalid(detail, "filters")
}

export function shown(value: unknown): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}

export interface Bounds {
  /** What is read, as the beginning of a sentence. */
  readonly what: string
  readonly min: number
  readonly max: number
}

/** Forms send numbers as text. */
export function parseWhole(value: unknown, { what, min, max }: Bounds): number {
  const isDigits = typeof value === "string" && /^\d{1,12}$/.test(value)
  const number = isDigits ? Number(value) : value
  if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) {
    return number
  }
  throw wrong(`${what} is a whole number from ${min} to ${max}, not ${shown(value)}.`)
}

export function parseFlag(condition: JsonObject, name: string): boolean {
  const value = condition[name]
  if (value === undefined || value === null) return false
  if (typeof value === "boolean") return value
  throw wrong(`"${name}" is true or false, not ${shown(value)}.`)
}

/** Property filters inside a condition; what is wrong with them is wrong with the cohort's filters. */
export function parseEventFilters(input: unknown): PropertyGroup {
  try {
    return parsePropertyFilters(input)
  } catch (error) {
    throw error instanceof DomainError ? wrong(error.message) : error
  }
}
