/** Cron lines of five fields, in UTC. */
import cronParser from "cron-parser"

/** Throws when it is none. */
export function parseCron(line: string): string {
  if (line.trim().split(/\s+/).length !== 5) {
    throw new Error("a cron line has five fields: minute, hour, day, month, weekday")
  }
  cronParser.parseExpression(line, { utc: true })
  return line
}

/** The latest time at or before `now` at which the line is due. */
export function lastDue(line: string, now: Date): Date {
  // The parser looks strictly before a time.
  const afterNow = new Date(now.getTime() + 1)
  return cronParser.parseExpression(line, { utc: true, currentDate: afterNow }).prev().toDate()
}
