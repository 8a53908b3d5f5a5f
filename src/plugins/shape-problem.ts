import type { z } from "zod"

/**
 * The first thing wrong with a JSON document, with the place it is at: `config.0.key: expected string`.
 * `within` is the place of the checked value in a larger document.
 */
export function firstProblem(error: z.ZodError, within: readonly string[] = []): string {
  const [issue] = error.issues
  if (!issue) return "it has an unknown problem"
  const place = [...within, ...issue.path].map(String).join(".")
  const message = issue.message
    .replace(/^Invalid input: /, "")
    .replace("expected record", "expected object")
  return place ? `${place}: ${message}` : message
}
