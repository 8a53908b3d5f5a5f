/**
 * Which properties arrive often: counts of key and type over the latest events, of which it looks at a sample.
 * Two halves make the window: when the newer one is full it becomes the older one.
 */
import type { JsonValue } from "../../lib/json.ts"
import type { EventRow } from "../engine.ts"
import {
  PROPERTY_COLUMN_TYPES,
  type PropertyCatalogue,
  type PropertyColumnType,
} from "./catalogue.ts"
import { columnTypeOf } from "./shred.ts"

const WINDOW_EVENTS = 20_000
const WINDOW_SHARE = 0.02
/** Before the window is full, only what is very frequent is sure to stay frequent. */
const EARLY_EVENTS = 1_000
const EARLY_SHARE = 0.3
const SAMPLE_EVENTS = 1_000
/** New keys beyond this are not counted until the window moves on. */
const TRACKED_KEYS_MAX = 5_000
const KEY_CHARACTERS_MAX = 400

export interface Candidate {
  readonly key: string
  readonly type: PropertyColumnType
}

type Counts = Map<string, Map<PropertyColumnType, number>>

interface Half {
  readonly counts: Counts
  eventCount: number
}

export class Census {
  #older: Half = emptyHalf()
  #newer: Half = emptyHalf()
  readonly #weight: number

  /** `weight`: how many events each observed one stands for. */
  constructor({ weight = 1 }: { weight?: number } = {}) {
    this.#weight = weight
  }

  /** Looks at a sample of the events; keys that have their column are not counted. */
  observe(events: readonly Pick<EventRow, "properties">[], catalogue: PropertyCatalogue): void {
    const stride = Math.max(1, Math.ceil(events.length / SAMPLE_EVENTS))
    for (let index = 0; index < events.length; index += stride) {
      const { properties } = events[index] as EventRow
      for (const key of Object.keys(properties))
        this.#count(key, properties[key] as JsonValue, catalogue)
      this.#newer.eventCount += this.#weight
      if (this.#newer.eventCount >= WINDOW_EVENTS / 2) {
        this.#older = this.#newer
        this.#newer = emptyHalf()
      }
    }
  }

  #count(key: string, value: JsonValue, catalogue: PropertyCatalogue): void {
    const type = columnTypeOf(value)
    if (type === undefined || catalogue.find(key).some((column) => column.type === type)) return
    const { counts } = this.#newer
    let ofKey = counts.get(key)
    if (ofKey === undefined) {
      if (counts.size >= TRACKED_KEYS_MAX || !isPromotable(key)) return
      ofKey = new Map()
      counts.set(key, ofKey)
    }
    ofKey.set(type, (ofKey.get(type) ?? 0) + this.#weight)
  }

  /** What deserves a column now, most frequent first. */
  listFrequent(catalogue: PropertyCatalogue): readonly Candidate[] {
    const eventCount = this.#older.eventCount + this.#newer.eventCount
    if (eventCount < EARLY_EVENTS) return []
    const share = eventCount >= WINDOW_EVENTS / 2 ? WINDOW_SHARE : EARLY_SHARE
    return this.#totals()
      .filter(({ count }) => count >= share * eventCount)
      .filter(({ key, type }) => !catalogue.find(key).some((column) => column.type === type))
      .sort((a, b) => b.count - a.count)
      .map(({ key, type }) => ({ key, type }))
  }

  #totals() {
    const totals: { key: string; type: PropertyColumnType; count: number }[] = []
    for (const key of new Set([...this.#older.counts.keys(), ...this.#newer.counts.keys()])) {
      const older = this.#older.counts.get(key)
      const newer = this.#newer.counts.get(key)
      for (const type of PROPERTY_COLUMN_TYPES) {
        totals.push({ key, type, count: (older?.get(type) ?? 0) + (newer?.get(type) ?? 0) })
      }
    }
    return totals
  }
}

function emptyHalf(): Half {
  return { counts: new Map(), eventCount: 0 }
}

function isPromotable(key: string): boolean {
  return key.length <= KEY_CHARACTERS_MAX && key.isWellFormed()
}
