/** Cron lines of five fields, in UTC. */
import cronParser from "cron-parser"

export function isCron(line: string): boolean {
  if (line.trim().split(/\s+/).length !== 5) return false
  try {
    cronParser.parseExpression(line, { utc: true })
    return true
  } catch {
    return false
  }
}

/** The latest time at or before `now` at which the line is due. */
export function lastDue(line: string, now: Date): Date {
  // The parser looks strictly before a time.
  const afterNow = new Date(now.getTime() + 1)
  return cronParser.parseExpression(line, { utc: true, currentDate: afterNow }).prev().toDate()
}
