/**
 * Whether RE2, which every engine uses, will accept a pattern. Engines refuse a whole query for one bad
 * pattern, so it must be known before. "unknown" is an honest answer for rare syntax and for patterns that
 * RE2 may find too large: printers then let the engine try, which is slower.
 */
export type PatternVerdict = "valid" | "invalid" | "unknown"

/** Longer patterns are left to the engine. */
const JUDGED_LENGTH_MAX = 10_000
const JUDGED_DEPTH_MAX = 100
/** RE2's own limit for {n,m}. */
const REPEAT_COUNT_MAX = 1_000
/** Counted repeats multiply the program; past this the engine's memory limit may be reached. */
const JUDGED_PROGRAM_MAX = 20_000

const CLASS_NAMES =
  /^\[:\^?(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/
const PUNCTUATION = /^[!-/:-@[-^`{-~]$/

export function judgePattern(pattern: string): PatternVerdict {
  if (pattern.length > JUDGED_LENGTH_MAX || !pattern.isWellFormed()) return "unknown"
  const reader: Reader = { chars: [...pattern], at: 0, depth: 0, names: new Set(), repeats: 1 }
  try {
    readAlternatives(reader)
    if (reader.at < reader.chars.length) return "invalid"
    return reader.repeats * pattern.length > JUDGED_PROGRAM_MAX ? "unknown" : "valid"
  } catch (error) {
    if (error instanceof Verdict) return error.verdict
    throw error
  }
}

class Verdict extends Error {
  readonly verdict: PatternVerdict

  constructor(verdict: PatternVerdict) {
    super(verdict)
    this.verdict = verdict
  }
}

interface Reader {
  readonly chars: readonly string[]
  at: number
  depth: number
  readonly names: Set<string>
  /** Product of all counted repeats so far. */
  repeats: number
}

const next = (reader: Reader): string | undefined => reader.chars[reader.at]
const rest = (reader: Reader): string => reader.chars.slice(reader.at, reader.at + 64).join("")

function take(reader: Reader): string {
  const char = reader.chars[reader.at]
  if (char === undefined) throw new Verdict("invalid")
  reader.at += 1
  return char
}

/** Reads up to the end or a closing parenthesis. */
function readAlternatives(reader: Reader): void {
  if (reader.depth > JUDGED_DEPTH_MAX) throw new Verdict("unknown")
  /** What a repetition would apply to; a repetition itself can not be repeated. */
  let before: "nothing" | "atom" | "repetition" | "flags" = "nothing"
  for (;;) {
    const char = next(reader)
    if (char === undefined || char === ")") return
    if (char === "|") {
      reader.at += 1
      before = "nothing"
    } else if (readRepetition(reader)) {
      if (before === "flags") throw new Verdict("unknown")
      if (before !== "atom") throw new Verdict("invalid")
      before = "repetition"
    } else {
      before = readAtom(reader)
    }
  }
}

function readRepetition(reader: Reader): boolean {
  const match = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(rest(reader))
  if (match === null) return false
  const [whole, low, high] = match
  if (low !== undefined) {
    const least = Number(low)
    const most = high === undefined || high === "" ? least : Number(high)
    if (least > REPEAT_COUNT_MAX || most > REPEAT_COUNT_MAX || least > most) {
      throw new Verdict("invalid")
    }
    reader.repeats *= Math.max(most, 1)
  }
  reader.at += whole.length
  return true
}

function readAtom(reader: Reader): "atom" | "flags" {
  const char = take(reader)
  if (char === "(") return readGroup(reader)
  if (char === "[") readClass(reader)
  if (char === "\\") readEscape(reader, false)
  return "atom"
}

function readGroup(reader: Reader): "atom" | "flags" {
  if (next(reader) === "?" && readGroupOpening(reader) === "flags") return "flags"
  reader.depth += 1
  readAlternatives(reader)
  reader.depth -= 1
  if (take(reader) !== ")") throw new Verdict("invalid")
  return "atom"
}

function readGroupOpening(reader: Reader): "group" | "flags" {
  const text = rest(reader)
  if (/^\?(?:<?[=!]|[>#])/.test(text)) throw new Verdict("invalid")
  const opening = /^\?(?:P<([A-Za-z_]\w*)>|(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?([:)]))/.exec(text)
  if (opening === null || opening[0] === "?)") throw new Verdict("unknown")
  const [whole, name, end] = opening
  if (name !== undefined) {
    if (reader.names.has(name)) throw new Verdict("invalid")
    reader.names.add(name)
  }
  reader.at += whole.length
  return end === ")" ? "flags" : "group"
}

/** After "[": members up to "]", which is a member itself when it comes first. */
function readClass(reader: Reader): void {
  if (next(reader) === "^") reader.at += 1
  for (let first = true; first || next(reader) !== "]"; first = false) {
    if (next(reader) === "[" && rest(reader).startsWith("[:")) {
      const name = CLASS_NAMES.exec(rest(reader))
      if (name === null) throw new Verdict("unknown")
      reader.at += name[0].length
      continue
    }
    const low = readMember(reader)
    if (low === undefined || next(reader) !== "-") continue
    const after = reader.chars[reader.at + 1]
    if (after === undefined) throw new Verdict("invalid")
    if (after === "]") continue
    reader.at += 1
    const high = readMember(reader)
    if (high === undefined || high < low) throw new Verdict("invalid")
  }
  reader.at += 1
}

/** The member's code point, or undefined for a class such as \d. */
function readMember(reader: Reader): number | undefined {
  const char = take(reader)
  return char === "\\" ? readEscape(reader, true) : char.codePointAt(0)
}

const ESCAPED_CONTROLS = new Map([
  ["a", 7],
  ["f", 12],
  ["t", 9],
  ["n", 10],
  ["r", 13],
  ["v", 11],
])

function readEscape(reader: Reader, inClass: boolean): number | undefined {
  const char = take(reader)
  if (PUNCTUATION.test(char)) return char.codePointAt(0)
  if (/[dDsSwW]/.test(char)) return undefined
  if (ESCAPED_CONTROLS.has(char)) return ESCAPED_CONTROLS.get(char)
  if (!inClass && /[bBAz]/.test(char)) return undefined
  if (char === "x") return readHex(reader)
  if (/[1-9bBAzZGkgXRhHNcelLuUEiIjJKmMoOqTVyY]/.test(char)) return judgeOddEscape(reader, char)
  throw new Verdict("unknown")
}

function judgeOddEscape(reader: Reader, char: string): never {
  const isOctal = /[1-7]/.test(char) && /^[0-7]/.test(rest(reader))
  throw new Verdict(isOctal ? "unknown" : "invalid")
}

function readHex(reader: Reader): number {
  const match = /^(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(rest(reader))
  if (match === null) throw new Verdict("unknown")
  reader.at += match[0].length
  const code = Number.parseInt(match[1] ?? match[2] ?? "", 16)
  if (code > 0x10_ff_ff) throw new Verdict("invalid")
  return code
}
