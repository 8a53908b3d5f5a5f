/** JSON as it comes: read, and refused where no store can keep it or no parser should try. */
import { DomainError, invalid } from "../../lib/errors.ts"
import { parseExact } from "../../lib/exact-json.ts"

/** Deeper bodies are no use to anyone and exhaust the stacks of parsers further down. */
const DEPTH_MAX = 64

export function parseJsonBody(text: string, isExact = false): unknown {
  try {
    return isExact ? parseExact(text) : JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : "not JSON"
    throw new DomainError("malformed", {
      code: "parse_error",
      detail: `JSON parse error - ${reason}`,
    })
  }
}

/**
 * Refuses what no store can keep: NUL characters, half surrogate pairs, endless depth. Asked of what a schema
 * has let through, so that keys nobody reads do no harm. `within` is the way to the value.
 */
export function checkStorable(value: unknown, within: readonly string[] = []): void {
  const fault = faultIn(value, within.length)
  if (fault === undefined) return
  const path = [...within, ...fault.path].slice(0, fault.detail === TOO_DEEP ? 1 : undefined)
  throw invalid(fault.detail, path.length === 0 ? null : path.join("__"))
}

interface Fault {
  readonly detail: string
  /** Made on the way back, so that the millions of values without a fault cost no path. */
  readonly path: string[]
}

const UNSTORABLE_TEXT = "Null characters and half surrogate pairs are not allowed."
const TOO_DEEP = `The body is nested deeper than ${DEPTH_MAX} levels.`

function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === "string") {
    return isStorable(value) ? undefined : { detail: UNSTORABLE_TEXT, path: [] }
  }
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined
  if (depth >= DEPTH_MAX) return { detail: TOO_DEEP, path: [] }
  return Array.isArray(value) ? faultInList(value, depth) : faultInObject(value, depth)
}

function faultInList(list: readonly unknown[], depth: number): Fault | undefined {
  for (let index = 0; index < list.length; index++) {
    const fault = faultIn(list[index], depth + 1)
    if (fault !== undefined) return { ...fault, path: [String(index), ...fault.path] }
  }
  return undefined
}

function faultInObject(object: object, depth: number): Fault | undefined {
  for (const key of Object.keys(object)) {
    if (!isStorable(key)) return { detail: UNSTORABLE_TEXT, path: [] }
    const fault = faultIn((object as Record<string, unknown>)[key], depth + 1)
    if (fault !== undefined) return { ...fault, path: [key, ...fault.path] }
  }
  return undefined
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed()
}

/**
 * Looks at the bytes alone, because parsing is what hostile nesting makes slow: 20 MB of nothing but opening
 * and closing brackets take the parser many seconds.
 */
export function checkNesting(json: Uint8Array): void {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (byte === BYTE.quote) isText = !isText
    else if (isText) index += byte === BYTE.backslash ? 1 : 0
    else if (byte === BYTE.openList || byte === BYTE.openObject) depth += 1
    else if (byte === BYTE.closeList || byte === BYTE.closeObject) depth -= 1
    if (depth > DEPTH_MAX) throw invalid(TOO_DEEP)
  }
}

const BYTE = {
  ...{ quote: 0x22, backslash: 0x5c },
  ...{ openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d },
} as const
