/** JSON as engines read it: numbers as they came, and no half characters. */
import { stringifyExact } from "../lib/exact-json.ts"

const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** Without half characters, which engines refuse to read. */
export function wellFormed(text: string): string {
  return text.includes("\\ud") ? text.replace(LONE_SURROGATE, "$1\ufffd") : text
}

export function jsonText(value: unknown): string {
  return wellFormed(stringifyExact(value))
}
