/**
 * Moments are UTC; what depends on the clock on the wall takes the zone as its last argument, a constant. Units are
 * constant texts: second, minute, hour, day, week (from Monday), month, quarter, year. Dates have no zone.
 */
import type { Primitive } from "./entry.ts"

export const DATES = {
  addSeconds: { args: 2, meaning: "the moment so many seconds later, fractions included" },
  diffSeconds: {
    args: 2,
    meaning: "seconds from the first moment to the second, with their fraction",
  },
  diffDays: {
    args: 2,
    meaning: "how many midnights (UTC) lie between the first moment and the second",
  },
  diffHours: { args: 2, meaning: "whole hours from the first moment to the second, rounded down" },
  diffWeeks: {
    args: 2,
    meaning: "whole weeks from the first moment, a midnight (UTC), to the second, rounded down",
  },
  diffMonths: { args: 2, meaning: "how many starts of a month (UTC) lie between two moments" },
  truncateSecond: { args: 1, meaning: "the moment without its fraction of a second" },
  startOf: {
    args: 3,
    meaning:
      "the moment at which the unit (first; also weekSunday and isoYear) began that holds the moment (second) " +
      "in the zone (third)",
  },
  startOfMinutes: {
    args: 3,
    meaning:
      "the start of the slot of so many minutes (first, a constant that divides 60) of the hour that holds " +
      "the moment (second) in the zone (third)",
  },
  dateOf: { args: 2, meaning: "the date of the moment in the zone (second)" },
  momentOfDate: { args: 2, meaning: "the moment at which the date began in the zone (second)" },
  datePart: {
    args: 3,
    meaning:
      "of the moment (second) in the zone (third), as a whole number: year, quarter, month, dayOfMonth, " +
      "dayOfYear, dayOfWeek (1 Monday to 7 Sunday), hour, minute, second, isoYear, isoWeek",
  },
  addUnits: {
    args: 4,
    meaning:
      "so many (second, whole) units (first) after the moment (third): days and longer by the calendar of the " +
      "zone (fourth), keeping the time of day, the last day of a month if there are not so many; null past year 9999",
  },
  diffUnits: {
    args: 4,
    meaning:
      "how many starts of the unit (first) of the zone (fourth) lie after the second argument up to the third; " +
      "negative if it is later",
  },
  formatMoment: {
    args: 3,
    meaning:
      "the moment (second) in the zone (third) in a format (first, a constant): %Y %y %m %d %e %j %H %I %i (minute) " +
      "%S %s (both seconds) %f (microseconds) %p (AM, PM) %M (January) %b (Jan) %W (Monday) %a (Mon) %u (1 Monday to " +
      "7) %w (0 Sunday to 6) %V %G (ISO week and year) %Q (quarter) %F (%Y-%m-%d) %T (%H:%i:%S) %R (%H:%i) %D " +
      "(%m/%d/%y) %z (+0100) %n %t %%; others stay",
  },
  momentText: { args: 2, meaning: "the moment in the zone (second) as 2026-01-02 03:04:05" },
  unixMilliseconds: { args: 1, meaning: "whole milliseconds since 1970 (UTC)" },
  momentOfUnix: { args: 1, meaning: "the moment so many seconds since 1970; null past year 9999" },
  zoneOffset: { args: 2, meaning: "how many seconds the zone (second) is ahead of UTC then" },
  inZone: {
    args: 2,
    meaning: "the moment itself; the zone (second) is for functions around it, not for the engine",
  },
} as const satisfies Record<string, Primitive>
