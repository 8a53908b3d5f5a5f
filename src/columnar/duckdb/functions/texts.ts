/** How DuckDB says functions of texts. */
import { TEXT_LENGTH_MAX, type TEXTS } from "../../../query/functions/texts.ts"
import { type Call, named, once, type Printer, tryOnce, wholeNumber } from "./call.ts"

export const TEXT_PRINTERS: Readonly<Record<keyof typeof TEXTS, Printer>> = {
  textLength: named("length"),
  lower: named("lower"),
  upper: named("upper"),
  // The engine's own reversing keeps marks with their letters.
  reverseText: ({ arg }) => `array_to_string(list_reverse(string_split(${arg(0)}, '')), '')`,
  concat: (call) => `(${call.exprs.map((_, index) => call.arg(index)).join(" || ")})`,
  substring: printSubstring,
  position: ({ arg }) => `instr(${arg(0)}, ${arg(1)})`,
  contains: named("contains"),
  startsWith: named("starts_with"),
  endsWith: named("suffix"),
  replaceAll: ({ arg }) => `replace(${arg(0)}, ${arg(1)}, ${arg(2)})`,
  replaceFirst: printReplaceFirst,
  repeat: printRepeat,
  leftPad: printPad("lpad"),
  rightPad: printPad("rpad"),
  trim: ({ arg }) => `trim(${arg(0)}, ' ')`,
  trimStart: ({ arg }) => `ltrim(${arg(0)}, ' ')`,
  trimEnd: ({ arg }) => `rtrim(${arg(0)}, ' ')`,
  split: printSplit,
  join: ({ arg }) => `array_to_string(${arg(0)}, ${arg(1)})`,
  codePoint: ({ arg }) =>
    `greatest(unicode(${arg(0)}), CASE WHEN ${arg(0)} IS NOT NULL THEN 0 END)`,
  translate: named("translate"),
  like: printLike("LIKE"),
  ilike: printLike("ILIKE"),
  base64Encode: ({ arg }) => `to_base64(encode(${arg(0)}))`,
  base64Decode: ({ arg }) => tryOnce([arg(0)], (text) => `decode(from_base64(${text}))`),
  urlEncode: named("url_encode"),
  urlDecode: ({ arg }) => tryOnce([arg(0)], (text) => `url_decode(${text})`),
}

/** The engine lets places before the first use up the length, and refuses numbers past 32 bits. */
function printSubstring({ arg }: Call): string {
  const within = (low: number, index: number) =>
    `CASE WHEN ${arg(index)} > ${PLACE_MAX} THEN ${PLACE_MAX} WHEN ${arg(index)} < ${low} THEN ${low} ELSE ${wholeNumber(arg(index))} END`
  return once(arg(0), (text) =>
    once(
      within(-PLACE_MAX, 1),
      (place) => {
        const start = `CASE WHEN ${place} < -length(${text}) THEN 1 ELSE ${place} END`
        return `CASE WHEN ${place} = 0 THEN substr(${text}, 1, 0) ELSE substr(${text}, ${start}, ${within(0, 2)}) END`
      },
      "p",
    ),
  )
}

const PLACE_MAX = 2_000_000_000

function printReplaceFirst({ arg }: Call): string {
  return once(arg(0), (text) =>
    once(
      arg(1),
      (part) => {
        const place = `instr(${text}, ${part})`
        const rest = `substr(${text}, ${place} + length(${part}))`
        const replaced = `substr(${text}, 1, ${place} - 1) || ${arg(2)} || ${rest}`
        return `CASE WHEN ${place} = 0 OR ${part} = '' THEN ${text} ELSE ${replaced} END`
      },
      "p",
    ),
  )
}

function printRepeat({ arg }: Call): string {
  return once(arg(0), (text) => {
    const most = `${TEXT_LENGTH_MAX} // greatest(length(${text}), 1)`
    return `repeat(${text}, CASE WHEN ${arg(1)} > ${most} THEN ${most} ELSE ${wholeNumber(arg(1))} END)`
  })
}

function printPad(name: string): Printer {
  return ({ arg }) => {
    const length = `CASE WHEN ${arg(1)} > ${TEXT_LENGTH_MAX} THEN ${TEXT_LENGTH_MAX} WHEN ${arg(1)} < 0 THEN 0 ELSE CAST(${arg(1)} AS INTEGER) END`
    return tryOnce(
      [arg(0), length, arg(2)],
      (text, size, fill) => `${name}(${text}, ${size}, ${fill})`,
    )
  }
}

function printSplit({ arg }: Call): string {
  return once(arg(1), (separator) =>
    once(
      arg(0),
      (text) =>
        `CASE WHEN ${text} = '' AND ${separator} = '' THEN [] ELSE string_split(${text}, ${separator}) END`,
      "s",
    ),
  )
}

function printLike(word: "LIKE" | "ILIKE"): Printer {
  return ({ arg }) =>
    tryOnce([arg(0), arg(1)], (text, pattern) => `${text} ${word} ${pattern} ESCAPE '\\'`)
}
