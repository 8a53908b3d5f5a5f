/** Formats of moments in the letters of the language, said in the engine's, and read by patterns of our own. */
import { once } from "./call.ts"

/** What both the language and the engine say with these letters. */
const LETTERS = new Set([..."YymdjHIhiSsfpMbWauwVGQFTRDznt%"])

/** The engine's formats, one after another; between them the day of the month, which it can not fill up with a space. */
export function formatsOf(format: string): readonly string[] {
  const formats = [""]
  for (const { letter, text } of piecesOf(format)) {
    if (letter === "e") formats.push("")
    else {
      const isKnown = letter !== undefined && LETTERS.has(letter)
      formats.push(`${formats.pop()}${isKnown ? text : text.replaceAll("%", "%%")}`)
    }
  }
  return formats
}

function piecesOf(format: string): readonly { letter: string | undefined; text: string }[] {
  const pieces = format.match(/%[\s\S]|[^%]+|%$/gu) ?? []
  return pieces.map((text) => ({
    text,
    letter: text.length > 1 && text.startsWith("%") ? text.slice(1) : undefined,
  }))
}

const EXPANDED: ReadonlyMap<string, string> = new Map([
  ["F", "%Y-%m-%d"],
  ["T", "%H:%i:%S"],
  ["R", "%H:%i"],
  ["D", "%m/%d/%y"],
])

type Part = keyof DateParts | "shortYear" | "dayOfYear" | "half" | "monthName"

const READ: ReadonlyMap<string, readonly [pattern: string, part: Part]> = new Map([
  ["Y", ["\\d{4}", "year"]],
  ["y", ["\\d{2}", "shortYear"]],
  ["m", ["\\d{1,2}", "month"]],
  ["d", ["\\d{1,2}", "day"]],
  ["e", ["\\d{1,2}", "day"]],
  ["j", ["\\d{1,3}", "dayOfYear"]],
  ["H", ["\\d{1,2}", "hour"]],
  ["I", ["\\d{1,2}", "hour"]],
  ["h", ["\\d{1,2}", "hour"]],
  ["i", ["\\d{1,2}", "minute"]],
  ["S", ["\\d{1,2}", "second"]],
  ["s", ["\\d{1,2}", "second"]],
  ["f", ["\\d{1,9}", "fraction"]],
  ["p", ["(?i:AM|PM)", "half"]],
  ["M", ["[A-Za-z]{3,9}", "monthName"]],
  ["b", ["[A-Za-z]{3}", "monthName"]],
])

/** What the clock shows, as a moment in UTC; undefined if a letter can not be read. */
export function printParsed(format: string, text: string): string | undefined {
  const expanded = format.replace(/%([FTRD])/g, (_, letter: string) => EXPANDED.get(letter) ?? "")
  let pattern = ""
  const places = new Map<Part, number>()
  let count = 0
  for (const { letter, text: piece } of piecesOf(expanded)) {
    const read = letter === undefined ? undefined : READ.get(letter)
    if (letter !== undefined && letter !== "%" && read === undefined) return undefined
    if (read === undefined) pattern += escapePattern(letter === "%" ? "%" : piece)
    else {
      count += 1
      places.set(read[1], count)
      pattern += `(${read[0]})`
    }
  }
  // Without a group, an empty answer would not tell a match from none.
  const groups = `extractGroups(ifNull(${text}, ''), ${sqlPattern(`${pattern}()`)})`
  return once(groups, (g) => `if(empty(${g}), NULL, ${printPlaces(g, places)})`, "g")
}

function printPlaces(groups: string, places: ReadonlyMap<Part, number>): string {
  const at = (part: Part) => {
    const place = places.get(part)
    return place === undefined ? undefined : `${groups}[${place}]`
  }
  const short = at("shortYear")
  const century = short && `concat(if(toUInt8OrZero(${short}) < 69, '20', '19'), ${short})`
  const hour = at("hour") ?? "'0'"
  const half = at("half")
  const isAfternoon = `upper(${half}) = 'PM'`
  const clock = `toString(toUInt8OrZero(${hour}) % 12 + if(${isAfternoon}, 12, 0))`
  const name = at("monthName")
  const wall = printWall({
    year: at("year") ?? century ?? "'1900'",
    month: name === undefined ? (at("month") ?? "'1'") : monthNumber(name),
    day: at("day") ?? "'1'",
    hour: half === undefined ? hour : clock,
    minute: at("minute") ?? "'0'",
    second: at("second") ?? "'0'",
    fraction: at("fraction") ?? "''",
  })
  const dayOfYear = at("dayOfYear")
  return dayOfYear === undefined
    ? wall
    : `addDays(${wall}, greatest(toInt32OrZero(${dayOfYear}), 1) - 1)`
}

const MONTHS = "['jan','feb','mar','apr','may','jun','jul','aug','sep','oct','nov','dec']"

/** "0", which is no month, for what is none. */
export function monthNumber(name: string): string {
  return `toString(indexOf(${MONTHS}, lower(substring(${name}, 1, 3))))`
}

/** Texts of digits. */
export interface DateParts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minute: string
  readonly second: string
  /** Of the second. */
  readonly fraction: string
}

/** A moment in UTC, or null where the calendar has no such: the engine would count on into the next month. */
export function printWall(parts: DateParts): string {
  const two = (text: string) => `leftPad(${text}, 2, '0')`
  const day = `concat(${parts.year}, '-', ${two(parts.month)}, '-', ${two(parts.day)})`
  const time = `concat(${two(parts.hour)}, ':', ${two(parts.minute)}, ':', ${two(parts.second)})`
  const whole = `concat(${day}, ' ', ${time})`
  const fraction = `rightPad(substring(${parts.fraction}, 1, 6), 6, '0')`
  return once(
    whole,
    (text) =>
      once(
        `toDateTime64OrNull(concat(${text}, '.', ${fraction}), 6, 'UTC')`,
        (wall) =>
          `if(formatDateTime(${wall}, '%Y-%m-%d %H:%i:%S', 'UTC') = ${text}, ${wall}, NULL)`,
        "d",
      ),
    "c",
  )
}

/** The pattern matches the whole text. */
export function sqlPattern(pattern: string): string {
  return `'^(?:${pattern})$'`.replaceAll("\\", "\\\\")
}

function escapePattern(text: string): string {
  const escaped = text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
  // Quotes, which would end the literal, and whatever else is not plain.
  return escaped.replaceAll(/[^ -&(-~]/gu, (character) => {
    return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}
