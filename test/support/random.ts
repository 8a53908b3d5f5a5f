/** Numbers that look random and are the same for the same seed: what they made can be made again. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number
  /** At least `low`, less than `high`. */
  integer(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  /** True in this share of the calls. */
  chance(share: number): boolean
  /** Eight hexadecimal digits. */
  hex(): string
  uuid(): string
}

export function createRandom(seed: number): Random {
  const fraction = mulberry32(seed)
  const integer = (low: number, high: number) => low + Math.floor(fraction() * (high - low))
  const hex = () =>
    Math.floor(fraction() * 2 ** 32)
      .toString(16)
      .padStart(8, "0")
  return {
    fraction,
    integer,
    hex,
    pick: (list) => list[integer(0, list.length)] as (typeof list)[number],
    chance: (share) => fraction() < share,
    uuid() {
      const digits = hex() + hex() + hex() + hex()
      const [first, second] = [digits.slice(0, 8), digits.slice(8, 12)]
      return `${first}-${second}-7${digits.slice(13, 16)}-9${digits.slice(17, 20)}-${digits.slice(20)}`
    },
  }
}

/** The generator of that name: 32 bits of state, good enough for test data. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
