/**
 * The "lz64" encoding of old browser SDKs: LZ78 with a growing dictionary over UTF-16 units, packed in base64.
 * Written here because the usual library has no bound on what a body unpacks to. A dictionary entry is always a
 * stretch of the output (the phrase before and one unit more), so entries are two numbers and never text.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const SIGN_BITS = 6

/** By character code: the sign's six bits, the first one lowest; -1 for what is no sign. */
const SIGNS = new Int8Array(256).fill(-1)
for (let value = 0; value < ALPHABET.length; value++) {
  SIGNS[ALPHABET.charCodeAt(value)] = reversed(value)
}
/** A plus that went through a form as a space. */
SIGNS[0x20] = reversed(ALPHABET.indexOf("+"))

function reversed(value: number): number {
  let result = 0
  for (let bit = 0; bit < SIGN_BITS; bit++) result |= ((value >> bit) & 1) << (SIGN_BITS - 1 - bit)
  return result
}

const CODE = { byte: 0, unit: 1, end: 2 } as const

/** Undefined when the text is not of this encoding; `too_large` when it holds more units than allowed. */
export function unpackLz64(text: string, unitsMax: number): string | "too_large" | undefined {
  const output = new Output(unitsMax)
  const end = unpack(new BitReader(text), output)
  if (end === "broken") return undefined
  return end === "too_large" ? end : output.toString()
}

function unpack(bits: BitReader, output: Output): "done" | "broken" | "too_large" {
  const starts: number[] = [0, 0, 0]
  const lengths: number[] = [0, 0, 0]
  /** How many codes are left until codes get one bit wider. */
  let room = 4
  let width = 3
  let start = 0
  let length = 0
  for (let isFirst = true; ; isFirst = false) {
    const code = bits.read(isFirst ? 2 : width)
    if (bits.isOver) return "broken"
    if (code === CODE.end) return "done"
    const nextStart = output.length
    let nextLength = 1
    if (code === CODE.byte || code === CODE.unit) {
      const isKept = output.push(bits.read(code === CODE.byte ? 8 : 16))
      if (!isKept) return "too_large"
      starts.push(nextStart)
      lengths.push(1)
      if (!isFirst && --room === 0) room = 2 ** width++
    } else {
      if (code > starts.length || isFirst) return "broken"
      const isNew = code === starts.length
      nextLength = isNew ? length + 1 : (lengths[code] ?? 0)
      if (!output.repeat(isNew ? start : (starts[code] ?? 0), nextLength)) return "too_large"
    }
    if (!isFirst) {
      starts.push(start)
      lengths.push(length + 1)
      if (--room === 0) room = 2 ** width++
    }
    start = nextStart
    length = nextLength
  }
}

class BitReader {
  readonly #text: string
  #index = 0
  #held = 0
  #heldBits = 0
  /** More was asked for than there is, or a sign is not of the alphabet. */
  isOver = false

  constructor(text: string) {
    this.#text = text
  }

  /** At most 24 bits, so that what is held fits 31. */
  read(count: number): number {
    while (this.#heldBits < count) {
      const sign = SIGNS[this.#text.charCodeAt(this.#index++)] ?? -1
      if (sign < 0) this.isOver = true
      else this.#held |= sign << this.#heldBits
      this.#heldBits += SIGN_BITS
    }
    const result = this.#held & ((1 << count) - 1)
    this.#held >>>= count
    this.#heldBits -= count
    return result
  }
}

const OUTPUT_START_UNITS = 4_096

class Output {
  readonly #unitsMax: number
  #units = new Uint16Array(OUTPUT_START_UNITS)
  length = 0

  constructor(unitsMax: number) {
    this.#unitsMax = unitsMax
  }

  push(unit: number): boolean {
    if (!this.#makeRoom(1)) return false
    this.#units[this.length++] = unit
    return true
  }

  /** May reach one unit into what it writes itself: the phrase before and its own first unit. */
  repeat(start: number, length: number): boolean {
    if (!this.#makeRoom(length)) return false
    this.#units.copyWithin(this.length, start, Math.min(start + length, this.length))
    if (start + length > this.length) {
      this.#units[this.length + length - 1] = this.#units[start] ?? 0
    }
    this.length += length
    return true
  }

  #makeRoom(count: number): boolean {
    const needed = this.length + count
    if (needed > this.#unitsMax) return false
    if (needed > this.#units.length) {
      const larger = new Uint16Array(Math.min(this.#unitsMax, Math.max(needed, needed * 2)))
      larger.set(this.#units.subarray(0, this.length))
      this.#units = larger
    }
    return true
  }

  toString(): string {
    return Buffer.from(this.#units.buffer, 0, this.length * 2).toString("utf16le")
  }
}
