/** Numbers that look random and follow from a seed: the same seed tells the same story. */
import { sha256Hex } from "../lib/ids.ts"

export interface Random {
  /** At least 0, less than 1. */
  fraction(): number
  /** At least `low`, less than `high`. */
  between(low: number, high: number): number
  /** A whole number, both ends included. */
  whole(low: number, high: number): number
  /** True in this share of the calls. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** By weight, from a list of pairs. */
  weighted<T>(list: readonly (readonly [T, number])[]): T
  hex(digits: number): string
}

export function seedNumber(seed: string): number {
  return Number.parseInt(sha256Hex(seed).slice(0, 8), 16)
}

const GOLDEN = 0x9e3779b9

/** Streams of one seed are independent of each other, so what one person does changes no other. */
export function createRandom(seed: number, stream: number): Random {
  const fraction = xorshift(scramble(seed ^ Math.imul(stream + 1, GOLDEN)))
  const between = (low: number, high: number) => low + fraction() * (high - low)
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  return {
    fraction,
    between,
    whole,
    chance: (share) => fraction() < share,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
    weighted: (list) => pickWeighted(list, fraction()),
    hex: (digits) => Array.from({ length: digits }, () => whole(0, 15).toString(16)).join(""),
  }
}

function pickWeighted<T>(list: readonly (readonly [T, number])[], share: number): T {
  let left = share * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of list) {
    left -= weight
    if (left < 0) return value
  }
  return (list.at(-1) as readonly [T, number])[0]
}

/** Neighbouring seeds end far from each other. */
function scramble(seed: number): number {
  let mixed = seed | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0 || GOLDEN
}

/** Marsaglia's generator of 32 bits: not for secrets, quick and well spread. */
function xorshift(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
