/** Written dates as people and SDKs send them, each told by its shape, as UTC moments. */
import { once } from "./call.ts"
import { monthNumber, printWall, sqlPattern } from "./date-formats.ts"

const UNIX_SECONDS = "\\d{9,10}(\\.\\d+)?"
const UNIX_MILLISECONDS = "\\d{12,13}"
const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?"
const ZONE = "(Z|UTC|[+-]\\d{2}(?::?\\d{2})?)"
const YEAR_FIRST = `(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})(?:[T ]${TIME})?`
const YEAR_FIRST_WITH_ZONE = `(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})[T ]${TIME} ?${ZONE}`
const DAY_FIRST = `(\\d{1,2})[-/](\\d{1,2})[-/](\\d{4})(?:[T ]${TIME})?`
const RFC_822 =
  "(?:[A-Z][a-z]{2}, )?(\\d{1,2}) ([A-Z][a-z]{2}) (\\d{4}) (\\d{1,2}):(\\d{2})(?::(\\d{2}))? (GMT|UTC|UT|Z|[+-]\\d{2}(?::?\\d{2})?)"

/** `zone` is the printed name of the zone in which dates without one are meant. */
export function printMoment(text: string, zone: string): string {
  const inZone = (wall: string) => `toTimeZone(toDateTime64(toString(${wall}), 6, ${zone}), 'UTC')`
  const seconds = `fromUnixTimestamp64Micro(toInt64(round(toFloat64OrZero(${text}) * 1000000)), 'UTC')`
  const milliseconds = `fromUnixTimestamp64Micro(toInt64OrZero(${text}) * 1000, 'UTC')`
  const branches: readonly (readonly [shape: string, moment: string])[] = [
    [UNIX_SECONDS, seconds],
    [UNIX_MILLISECONDS, milliseconds],
    [
      YEAR_FIRST_WITH_ZONE,
      ofGroups(text, YEAR_FIRST_WITH_ZONE, (at) => beforeUtc(wallOf(at), at(8))),
    ],
    [YEAR_FIRST, ofGroups(text, YEAR_FIRST, (at) => once(wallOf(at), inZone, "w"))],
    [DAY_FIRST, ofGroups(text, DAY_FIRST, (at) => once(wallOf(at, [3, 2, 1]), inZone, "w"))],
    [RFC_822, ofGroups(text, RFC_822, (at) => beforeUtc(rfcWall(at), at(7)))],
  ]
  const cases = branches.map(([shape, moment]) => `match(${text}, ${sqlPattern(shape)}), ${moment}`)
  return `multiIf(${cases.join(", ")}, NULL)`
}

type At = (group: number) => string

function ofGroups(text: string, pattern: string, use: (at: At) => string): string {
  const groups = `extractGroups(ifNull(${text}, ''), ${sqlPattern(pattern)})`
  return once(groups, (g) => use((group) => `${g}[${group}]`), "g")
}

function wallOf(at: At, [year, month, day] = [1, 2, 3]): string {
  return printWall({
    year: at(year ?? 1),
    month: at(month ?? 2),
    day: at(day ?? 3),
    hour: at(4),
    minute: at(5),
    second: at(6),
    fraction: at(7),
  })
}

function rfcWall(at: At): string {
  return printWall({
    year: at(3),
    month: monthNumber(at(2)),
    day: at(1),
    hour: at(4),
    minute: at(5),
    second: at(6),
    fraction: "''",
  })
}

/** "+01:30" is ahead of UTC; words are UTC itself. */
function beforeUtc(wall: string, zone: string): string {
  const digits = `replaceAll(${zone}, ':', '')`
  const minutes = `(toInt32OrZero(substring(${digits}, 2, 2)) * 60 + toInt32OrZero(substring(${digits}, 4, 2)))`
  const ahead = `if(match(${zone}, '^[+-]'), if(startsWith(${zone}, '-'), -1, 1) * ${minutes}, 0)`
  return `subtractMinutes(${wall}, ${ahead})`
}
