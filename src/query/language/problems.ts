/** What is wrong with a text of the query language: every finding with its place, all at once. */
import { type DomainError, invalid } from "../../lib/errors.ts"
import type { Span } from "./ast.ts"

export type ProblemCode =
  | "syntax_error"
  | "unresolved_field"
  | "unknown_table"
  | "unknown_function"
  | "wrong_arguments"
  | "illegal_type_of_argument"
  | "illegal_aggregation"
  | "missing_placeholder"
  | "unsupported"
  | "too_complex"

export interface Problem {
  readonly code: ProblemCode
  readonly message: string
  readonly span: Span
  /** What to write instead. */
  readonly suggestion?: string
}

/** The findings as one error of the caller: the first gives the code, all give the text. */
export function languageError(text: string, problems: readonly Problem[]): DomainError {
  const detail = problems.map((problem) => describeProblem(text, problem)).join("\n")
  return invalid(detail, "query", problems[0]?.code ?? "syntax_error")
}

function describeProblem(text: string, { message, span, suggestion }: Problem): string {
  const before = text.slice(0, span.start).split("\n")
  const column = (before.at(-1)?.length ?? 0) + 1
  const place = `line ${before.length}, column ${column}`
  const end = suggestion === undefined ? "" : ` ${suggestion}`
  return `${message} (${place})${end}`
}
