/**
 * A Bloom filter that grows: answers "surely not" or "perhaps". UUIDs bring their own random bits, so two words of
 * them are the hash; who sends others only makes "perhaps" more frequent.
 */
const BITS_PER_KEY = 32
const PROBES = 12
const FIRST_KEYS = 16 * 1024
const GROWTH = 4

interface Layer {
  readonly words: Uint32Array
  readonly mask: number
  readonly capacity: number
  count: number
}

export class UuidFilter {
  readonly #layers: Layer[] = [createLayer(FIRST_KEYS)]

  get sizeBytes(): number {
    return this.#layers.reduce((sum, { words }) => sum + words.byteLength, 0)
  }

  /** What the next layer would cost, or 0 while the newest has room. */
  get growthBytes(): number {
    const { count, capacity, words } = this.#newest()
    return count < capacity ? 0 : words.byteLength * GROWTH
  }

  /** Without growing, a full filter still takes keys; it only says "perhaps" more often. */
  grow(): void {
    this.#layers.push(createLayer(this.#newest().capacity * GROWTH))
  }

  add(low: number, high: number): void {
    const layer = this.#newest()
    const step = high | 1
    let place = low
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = place & layer.mask
      const index = bit >>> 5
      layer.words[index] = (layer.words[index] ?? 0) | (1 << (bit & 31))
      place = (place + step) | 0
    }
    layer.count += 1
  }

  has(low: number, high: number): boolean {
    return this.#layers.some((layer) => isIn(layer, low, high))
  }

  #newest(): Layer {
    return this.#layers.at(-1) as Layer
  }
}

function createLayer(capacity: number): Layer {
  const bits = capacity * BITS_PER_KEY
  return { words: new Uint32Array(bits / 32), mask: bits - 1, capacity, count: 0 }
}

function isIn({ words, mask }: Layer, low: number, high: number): boolean {
  const step = high | 1
  let place = low
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = place & mask
    if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    place = (place + step) | 0
  }
  return true
}
