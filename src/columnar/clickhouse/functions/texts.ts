/** How ClickHouse says functions of texts. */
import { TEXT_LENGTH_MAX, type TEXTS } from "../../../query/functions/texts.ts"
import { type Call, findConstantText, named, once, type Printer, whole } from "./call.ts"

export const TEXT_PRINTERS: Readonly<Record<keyof typeof TEXTS, Printer>> = {
  textLength: ({ arg }) => `toInt64(lengthUTF8(${arg(0)}))`,
  lower: named("lowerUTF8"),
  upper: named("upperUTF8"),
  reverseText: named("reverseUTF8"),
  concat: named("concat"),
  substring: printSubstring,
  position: ({ arg }) => `toInt64(positionUTF8(${arg(0)}, ${arg(1)}))`,
  contains: ({ arg }) => `(position(${arg(0)}, ${arg(1)}) > 0)`,
  startsWith: named("startsWith"),
  endsWith: named("endsWith"),
  replaceAll: ({ arg }) => unlessEmpty(arg, `replaceAll(${arg(0)}, ${arg(1)}, ${arg(2)})`),
  replaceFirst: ({ arg }) => unlessEmpty(arg, `replaceOne(${arg(0)}, ${arg(1)}, ${arg(2)})`),
  repeat: printRepeat,
  leftPad: printPad("left"),
  rightPad: printPad("right"),
  trim: named("trimBoth"),
  trimStart: named("trimLeft"),
  trimEnd: named("trimRight"),
  split: printSplit,
  join: printJoin,
  codePoint: printCodePoint,
  translate: named("translateUTF8"),
  like: printLike("like"),
  ilike: printLike("ilike"),
  base64Encode: named("base64Encode"),
  base64Decode: ({ arg }) =>
    once(arg(0), (text) =>
      once(
        `tryBase64Decode(${text})`,
        (bytes) => `if(match(${text}, '${BASE_64}') AND isValidUTF8(${bytes}), ${bytes}, NULL)`,
        "b",
      ),
    ),
  urlEncode: named("encodeURLComponent"),
  urlDecode: named("decodeURLComponent"),
}

const BASE_64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

function unlessEmpty(arg: Call["arg"], replaced: string): string {
  return `if(${arg(1)} = '', ${arg(0)}, ${replaced})`
}

function printSubstring(call: Call): string {
  return once(call.arg(0), (text) =>
    once(
      whole(call, 1),
      (place) => {
        const start = `if(${place} < -toInt64(lengthUTF8(${text})), 1, ${place})`
        const count = `greatest(${whole(call, 2)}, 0)`
        return `if(${place} = 0, '', substringUTF8(${text}, ${start}, ${count}))`
      },
      "p",
    ),
  )
}

function printRepeat(call: Call): string {
  return once(call.arg(0), (text) => {
    const most = `intDiv(${TEXT_LENGTH_MAX}, greatest(toInt64(lengthUTF8(${text})), 1))`
    return `repeat(${text}, greatest(0, least(${most}, ${whole(call, 1)})))`
  })
}

/** The engine fills up with a constant only. */
function printPad(side: "left" | "right"): Printer {
  return (call) =>
    once(call.arg(0), (text) =>
      once(
        `greatest(0, least(${TEXT_LENGTH_MAX}, ${whole(call, 1)}))`,
        (size) => {
          const missing = `${size} - toInt64(lengthUTF8(${text}))`
          const filled = `substringUTF8(repeat(${call.arg(2)}, ${size}), 1, greatest(0, ${missing}))`
          const whole = side === "left" ? `${filled}, ${text}` : `${text}, ${filled}`
          return `if(${missing} <= 0, substringUTF8(${text}, 1, ${size}), concat(${whole}))`
        },
        "n",
      ),
    )
}

/** By nothing, the engine would split bytes. */
function printSplit(call: Call): string {
  const { arg } = call
  const separator = findConstantText(call, 1)
  if (separator === "") return `extractAll(${arg(0)}, '(?s).')`
  return `splitByString(${arg(1)}, ${arg(0)})`
}

/** The engine's own separator is a constant. */
function printJoin(call: Call): string {
  if (findConstantText(call, 1) !== undefined) {
    return `arrayStringConcat(${call.arg(0)}, ${call.arg(1)})`
  }
  return once(`arrayFilter(y -> isNotNull(y), ${call.arg(0)})`, (list) => {
    const parts = `arrayMap((y, i) -> if(i = 1, y, concat(${call.arg(1)}, y)), ${list}, arrayEnumerate(${list}))`
    return `arrayStringConcat(${parts}, '')`
  })
}

/** Out of the bytes of UTF-8. */
function printCodePoint({ arg }: Call): string {
  return once(arg(0), (text) => {
    const byte = (place: number) => `toInt64(reinterpretAsUInt8(substring(${text}, ${place}, 1)))`
    const more = (place: number) => `bitAnd(${byte(place)}, 63)`
    const two = `bitAnd(${byte(1)}, 31) * 64 + ${more(2)}`
    const three = `bitAnd(${byte(1)}, 15) * 4096 + ${more(2)} * 64 + ${more(3)}`
    const four = `bitAnd(${byte(1)}, 7) * 262144 + ${more(2)} * 4096 + ${more(3)} * 64 + ${more(4)}`
    return `multiIf(${text} = '', 0, ${byte(1)} < 128, ${byte(1)}, ${byte(1)} < 224, ${two}, ${byte(1)} < 240, ${three}, ${four})`
  })
}

/** The engine refuses a pattern that ends in the middle of an escape. */
function printLike(name: "like" | "ilike"): Printer {
  return (call) => {
    const pattern = findConstantText(call, 1)
    const isCut = pattern !== undefined && /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern)
    return isCut ? "CAST(NULL, 'Nullable(Bool)')" : `${name}(${call.arg(0)}, ${call.arg(1)})`
  }
}
