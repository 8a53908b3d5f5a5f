/** What the server says about a query, in the words of an answer. */
import { invalid, unavailable } from "../../lib/errors.ts"
import type { QueryLimits } from "../engine.ts"

const CANNOT_COMPILE_PATTERN = "427"
const TIMEOUT_EXCEEDED = "159"
const MEMORY_LIMIT_EXCEEDED = "241"

/**
 * Wrong counts of arguments, illegal types and columns, types that have none in common; aggregates and windows where
 * none may stand, fields that are neither grouped nor aggregated.
 */
const TYPE_CODES: ReadonlySet<unknown> = new Set([
  "42",
  "43",
  "44",
  "53",
  "59",
  "184",
  "215",
  "386",
])

const NOT_OF_FORM = "a text is not of the form that it is read as"
const TOO_LARGE = "a number or a size is past what a function takes"

/** What only the values of a query bring about, by the server's code. */
const VALUE_REASONS: ReadonlyMap<unknown, string> = new Map([
  ["6", NOT_OF_FORM],
  ["12", TOO_LARGE],
  ["27", NOT_OF_FORM],
  ["36", "a function got a value that it does not take"],
  ["38", NOT_OF_FORM],
  ["41", NOT_OF_FORM],
  ["69", TOO_LARGE],
  ["70", "a value cannot be turned into the type asked for"],
  ["72", "a text is not a number"],
  ["125", "a query that stands for one value answers more than one row"],
  ["128", "an array is larger than a function makes"],
  ["131", "a text is longer than a function makes"],
  ["153", "a whole number is divided by zero, or by what its type cannot be divided by"],
  ["190", "arrays of different lengths stand where they must be equally long"],
  ["321", "a value is outside the range of its type"],
  ["349", "a null stands where a value is needed"],
  ["376", "a text is not a UUID"],
  ["407", "a decimal number is larger than its type holds"],
])

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}

export const isPatternRefused = (error: unknown) => codeOf(error) === CANNOT_COMPILE_PATTERN

/** What the values of a query bring about and what its size does are no faults of ours. */
export function explained(error: unknown, { timeoutMs }: QueryLimits): unknown {
  const code = codeOf(error)
  if (code === TIMEOUT_EXCEEDED) return late(timeoutMs)
  if (code === MEMORY_LIMIT_EXCEEDED) {
    return unavailable("the query needs more memory than it may take: ask for less at once")
  }
  if (TYPE_CODES.has(code)) {
    const detail = "A function of the query got an argument of a type that it does not take."
    return invalid(detail, "query", "illegal_type_of_argument")
  }
  const reason = VALUE_REASONS.get(code)
  if (reason === undefined) return error
  return invalid(`The query cannot be answered: ${reason}.`, "query", "illegal_value")
}

export const late = (timeoutMs: number) =>
  unavailable(`the query took longer than the ${timeoutMs} ms it may take`)
