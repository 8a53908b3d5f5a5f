/** Turns what a schema found wrong into the first problem, in the codes that clients of this API know. */
import type { z } from "zod"
import { type DomainError, invalid } from "../../lib/errors.ts"

export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw issue === undefined ? invalid("The request is not valid.") : problemOf(issue)
}

function problemOf(issue: z.core.$ZodIssue): DomainError {
  const attr = issue.path.length === 0 ? null : issue.path.map(String).join("__")
  const { code, detail } = describe(issue)
  return invalid(detail, attr, code)
}

interface Description {
  readonly code: string
  readonly detail: string
}

function describe(issue: z.core.$ZodIssue): Description {
  if (issue.input === undefined && issue.code !== "custom" && issue.code !== "unrecognized_keys") {
    return { code: "required", detail: "This field is required." }
  }
  if (issue.input === null) return { code: "null", detail: "This field may not be null." }
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "array"
        ? { code: "not_a_list", detail: `Expected a list, not ${shown(issue.input)}.` }
        : {
            code: "invalid_input",
            detail: `Expected ${shownType(issue.expected)}, not ${shown(issue.input)}.`,
          }
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? {
            code: "max_length",
            detail: `Ensure this has no more than ${issue.maximum} ${units(issue)}.`,
          }
        : { code: "max_value", detail: `Ensure this is no more than ${issue.maximum}.` }
    case "too_small":
      return tooSmall(issue)
    case "invalid_value":
      return {
        code: "invalid_choice",
        detail: `${shown(issue.input)} is not a valid choice; use ${issue.values.map((value) => JSON.stringify(value)).join(", ")}.`,
      }
    case "custom": {
      const code = issue.params?.code
      return { code: typeof code === "string" ? code : "invalid_input", detail: issue.message }
    }
    default:
      return { code: "invalid_input", detail: issue.message }
  }
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): Description {
  if (issue.origin !== "string" && issue.origin !== "array") {
    return { code: "min_value", detail: `Ensure this is at least ${issue.minimum}.` }
  }
  if (issue.origin === "string" && issue.minimum === 1) {
    return { code: "blank", detail: "This field may not be blank." }
  }
  return {
    code: "min_length",
    detail: `Ensure this has at least ${issue.minimum} ${units(issue)}.`,
  }
}

function units(issue: { origin: string }): string {
  return issue.origin === "string" ? "characters" : "items"
}

const SHOWN_CHARACTERS = 60

/** The parser's own words for types are not everybody's. */
function shownType(type: string): string {
  if (type === "record" || type === "object") return "an object"
  return type === "int" ? "a whole number" : `a ${type}`
}

function shown(value: unknown): string {
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object"
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
}
