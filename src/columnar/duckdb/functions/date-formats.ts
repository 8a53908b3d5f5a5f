/** Formats of moments in the letters of the language, said in the engine's. */
import { sqlText } from "../sql-text.ts"

/** What the engine's own formatting can say. */
const LETTERS: Readonly<Record<string, string>> = {
  Y: "%Y",
  y: "%y",
  m: "%m",
  d: "%d",
  j: "%j",
  H: "%H",
  I: "%I",
  h: "%I",
  i: "%M",
  S: "%S",
  s: "%S",
  f: "%f",
  p: "%p",
  M: "%B",
  b: "%b",
  W: "%A",
  a: "%a",
  u: "%u",
  w: "%w",
  V: "%V",
  G: "%G",
  F: "%Y-%m-%d",
  T: "%H:%M:%S",
  R: "%H:%M",
  D: "%m/%d/%y",
  n: "\n",
  t: "\t",
  "%": "%%",
}

interface Shown {
  readonly moment: string
  readonly wall: string
}

const COMPUTED: Readonly<Record<string, (shown: Shown) => string>> = {
  e: ({ wall }) => `lpad(strftime(${wall}, '%-d'), 2, ' ')`,
  Q: ({ wall }) => `CAST(date_part('quarter', ${wall}) AS VARCHAR)`,
  z: ({ moment, wall }) => {
    const minutes = `date_sub('minute', ${moment}, ${wall})`
    const digits = `CAST(abs(${minutes}) // 60 * 100 + abs(${minutes}) % 60 AS VARCHAR)`
    return `CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END || lpad(${digits}, 4, '0')`
  },
}

export function strftimeParts(format: string, shown: Shown): string {
  const parts: string[] = []
  let pending = ""
  const flush = () => {
    if (pending !== "") parts.push(`strftime(${shown.wall}, ${sqlText(pending)})`)
    pending = ""
  }
  for (const piece of piecesOf(format)) {
    const computed = piece.letter === undefined ? undefined : lookUp(COMPUTED, piece.letter)
    if (computed !== undefined) {
      flush()
      parts.push(computed(shown))
      continue
    }
    const known = piece.letter === undefined ? undefined : lookUp(LETTERS, piece.letter)
    pending += known ?? piece.text.replaceAll("%", "%%")
  }
  flush()
  return parts.length === 0 ? "''" : `(${parts.join(" || ")})`
}

/** Letters that can be read back. */
const READ_LETTERS = new Set([..."YymdjHIhiSsfpMbFTRD%"])

/** As a literal for reading texts, or undefined if a letter can not be read. */
export function strptimeFormat(format: string): string | undefined {
  let made = ""
  for (const { letter, text } of piecesOf(format)) {
    if (letter === undefined) made += text
    else if (letter === "e") made += "%-d"
    else if (READ_LETTERS.has(letter)) made += lookUp(LETTERS, letter) ?? ""
    else return undefined
  }
  return sqlText(made)
}

function piecesOf(format: string): readonly { letter: string | undefined; text: string }[] {
  const pieces = format.match(/%[\s\S]|[^%]+|%$/gu) ?? []
  return pieces.map((text) => ({
    text,
    letter: text.length > 1 && text.startsWith("%") ? text.slice(1) : undefined,
  }))
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
