/** What kind of question a body of the query endpoint asks, and how such a question is answered. */
import type { z } from "zod"
import { invalid } from "../../lib/errors.ts"
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
  const isMissing = issue?.code === "invalid_type" && issue.input === undefined
  throw invalid(
    `${attr === "" ? "The query" : attr}: ${issue?.message ?? "is not what was expected"}.`,
    attr === "" ? "query" : attr,
    isMissing ? "required" : "invalid_input",
  )
}
