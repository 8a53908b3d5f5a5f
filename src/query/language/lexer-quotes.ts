/** Strings and quoted names: `\` before a sign, or the quote doubled. */

const ESCAPES = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["r", "\r"],
  ["n", "\n"],
  ["t", "\t"],
  ["0", "\0"],
  ["a", "\x07"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
])
const PRINTED = new Map([...ESCAPES].map(([letter, meaning]) => [meaning, `\\${letter}`]))

export interface Quoted {
  readonly value: string
  /** Behind the closing quote. */
  readonly end: number
}

/** Reads from the opening quote at `start`; undefined when the quote is never closed. */
export function readQuoted(text: string, start: number): Quoted | undefined {
  const quote = text.charAt(start)
  let value = ""
  let runStart = start + 1
  for (let at = runStart; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === quote) {
      value += text.slice(runStart, at)
      if (text.charAt(at + 1) !== quote) return { value, end: at + 1 }
      runStart = ++at
    } else if (char === "\\") {
      const meaning = ESCAPES.get(text.charAt(++at))
      // An unknown escape keeps its backslash, so that '\d' and '\%' reach patterns as they are.
      if (meaning === undefined) continue
      value += text.slice(runStart, at - 1) + meaning
      runStart = at + 1
    }
  }
  return undefined
}

/** The text that `readQuoted` reads back. */
export function printQuoted(value: string, quote: "'" | "`"): string {
  let printed = quote as string
  for (const char of value) {
    const isOtherQuote = (char === "'" || char === '"' || char === "`") && char !== quote
    printed += isOtherQuote ? char : (PRINTED.get(char) ?? char)
  }
  return printed + quote
}
