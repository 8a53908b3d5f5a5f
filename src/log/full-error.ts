/** The log takes no more for now; the same append may succeed later. */
import { systemCode } from "../lib/system-error.ts"

export type FullReason = "budget" | "backlog" | "disk_full" | "disk_error"

const SENTENCES: Readonly<Record<FullReason, string>> = {
  budget: "the log is as large as it may become; it shrinks as events are stored",
  backlog: "too many bytes wait to be written to the log; try again in a moment",
  disk_full: "the disk of the log has no space left",
  disk_error: "the disk of the log refuses to write",
}

export class LogFullError extends Error {
  readonly reason: FullReason

  constructor(reason: FullReason, options?: ErrorOptions) {
    super(SENTENCES[reason], options)
    this.name = "LogFullError"
    this.reason = reason
  }
}

/** What an append that a failing disk stopped rejects with. */
export function diskError(cause: unknown): LogFullError {
  const isFull = ["ENOSPC", "EDQUOT"].includes(systemCode(cause) ?? "")
  return new LogFullError(isFull ? "disk_full" : "disk_error", { cause })
}
