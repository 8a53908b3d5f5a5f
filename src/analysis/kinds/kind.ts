/** What kind of question a body of the query endpoint asks, and how such a question is answered. */
import type { z } from "zod"
import { DomainError, invalid } from "../../lib/errors.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import type { Desk } from "../desk.ts"

export interface Kind {
  /** The first is the one to use. */
  readonly names: readonly string[]
  answer(asked: JsonObject, desk: Desk): Promise<JsonObject>
}

/** The question in its own shape, or an error that names the field. */
export function parseAsked<T>(schema: z.ZodType<T>, asked: JsonValue): T {
  const parsed = schema.safeParse(asked)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const attr = issue?.path.map(String).join("__") ?? ""
  const isMissing = valueAt(asked, issue?.path ?? []) === undefined
  throw invalid(
    `${attr === "" ? "The query" : attr}: ${issue?.message ?? "is not what was expected"}.`,
    attr === "" ? "query" : attr,
    isMissing ? "required" : "invalid_input",
  )
}

function valueAt(value: JsonValue, path: readonly PropertyKey[]): unknown {
  let inner: unknown = value
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Readonly<Record<PropertyKey, unknown>>)[key]
  }
  return inner
}

/** Mistakes in a text of the language, told of the field that the text stands in. */
export function inField<T>(attr: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof DomainError) || error.attr !== "query") throw error
    throw invalid(error.message, attr, error.code)
  }
}
