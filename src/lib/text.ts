/** Values of any kind as text that every store can keep. */
import { exactNumberOf, stringifyExact } from "./exact-json.ts"
import type { JsonValue } from "./json.ts"

/** A string as it is, everything else as JSON. */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return exactNumberOf(value) ?? value
  return stringifyExact(value)
}

/** At most so many characters; a character outside the basic plane is kept whole or not at all. */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  let end = 0
  for (let count = 0; count < maxCharacters && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return end >= text.length ? text : text.slice(0, end)
}

/** Without NUL and half surrogate pairs: each becomes U+FFFD. */
export function toStorable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes("\0") ? whole.replaceAll("\0", "\ufffd") : whole
}
