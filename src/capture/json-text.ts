/** Reads JSON whose nesting is bounded, without looking at each byte of what cannot be deep. */
import { refusal } from "./refusal.ts"

const DEPTH_MAX = 100
/** Fewer brackets than one in so many characters, and the parser is not slowed by any nesting of them. */
const SPARSE_CHARACTERS = 64

/**
 * Parsing 100,000 nested lists takes three times as long as as many side by side, and what is deep ends the stacks
 * of all that comes after. Counting brackets costs a twentieth of parsing; looking at each character as much as it.
 */
export function parseBounded(text: string): unknown {
  const bracketMax = Math.max(DEPTH_MAX, Math.floor(text.length / SPARSE_CHARACTERS))
  const bracketCount = countBrackets(text, bracketMax)
  if (bracketCount > bracketMax && isDeepText(text)) throw tooDeep()
  const value = parse(text)
  if (bracketCount > DEPTH_MAX && isDeep(value, DEPTH_MAX)) throw tooDeep()
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal("invalid_payload", "The body is not JSON once it is decoded.")
  }
}

function tooDeep() {
  return refusal("invalid_payload", `The body is nested deeper than ${DEPTH_MAX} levels.`)
}

/** Those in strings too: it may count too many, never too few. */
function countBrackets(text: string, max: number): number {
  let count = 0
  for (const bracket of ["{", "["]) {
    let index = text.indexOf(bracket)
    while (index !== -1 && count <= max) {
      count += 1
      index = text.indexOf(bracket, index + 1)
    }
  }
  return count
}

function isDeepText(text: string): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === CODE.quote) isText = !isText
    else if (isText) index += code === CODE.backslash ? 1 : 0
    else if (code === CODE.openList || code === CODE.openObject) depth += 1
    else if (code === CODE.closeList || code === CODE.closeObject) depth -= 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeep(item, levels - 1)) return true
    return false
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === "object" && isDeep(inner, levels - 1)) return true
  }
  return false
}

const CODE = {
  ...{ quote: 0x22, backslash: 0x5c },
  ...{ openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d },
} as const

/**
 * The index of the first item that is longer than allowed, among the items of the list at the top, or of the lists
 * that stand directly in the object at the top; undefined when none is.
 */
export function findLongItem(json: Buffer, maxBytes: number): number | undefined {
  let depth = 0
  let listDepth = 0
  let itemIndex = 0
  let itemStart = 0
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (byte === CODE.quote) index = endOfString(json, index)
    else if (byte === CODE.openList || byte === CODE.openObject) {
      if (depth === listDepth && listDepth > 0) itemStart = index
      depth += 1
      if (byte === CODE.openList && listDepth === 0 && depth <= 2) {
        listDepth = depth
        itemIndex = 0
      }
    } else if (byte === CODE.closeList || byte === CODE.closeObject) {
      if (depth === listDepth) listDepth = 0
      depth -= 1
      if (depth === listDepth && listDepth > 0) {
        if (index + 1 - itemStart > maxBytes) return itemIndex
        itemIndex += 1
      }
    }
  }
  return undefined
}

function endOfString(json: Buffer, start: number): number {
  let index = start + 1
  while (index < json.length && json[index] !== CODE.quote) {
    index += json[index] === CODE.backslash ? 2 : 1
  }
  return index
}
