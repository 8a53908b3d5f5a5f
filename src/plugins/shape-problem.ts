import type { z } from "zod"

/** The first thing wrong with a JSON document, with the place it is at: `config.0.key: expected string`. */
export function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return "it has an unknown problem"
  const place = issue.path.map(String).join(".")
  const message = issue.message.replace(/^Invalid input: /, "")
  return place ? `${place}: ${message}` : message
}
