/**
 * What a household sends: everything that makes, changes and joins persons, over a handful of ids, so that each
 * meets the others soon.
 */
import type { JsonObject } from "../../src/lib/json.ts"
import type { Random } from "../support/random.ts"
import type { Household, SentEvent } from "./journal.ts"

const ID_LETTERS = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
const VALUES_MAX = 5
const TEXT_LENGTH_MAX = 300
const TIME_STEP_MS = 7

/** Each as often as it stands here. */
const KINDS = [
  ...["plain", "plain", "plain", "plain", "plain", "plain", "plain", "undated", "personless"],
  ...["set", "set", "set", "set", "unset", "$identify", "$identify", "$create_alias"],
  "$merge_dangerously",
] as const

export class HouseholdScript {
  readonly name: Household
  readonly #random: Random
  readonly #ids: readonly string[]
  /** Ids that an acked event has given a person. */
  readonly #known = new Set<string>()
  #timeMs: number
  #count = 0

  constructor(name: Household, random: Random, startMs: number) {
    this.name = name
    this.#random = random
    this.#ids = ID_LETTERS.map((letter) => `${name}-${letter}`)
    this.#timeMs = startMs
  }

  get eventCount(): number {
    return this.#count
  }

  next(count: number): SentEvent[] {
    return Array.from({ length: count }, () => this.#event())
  }

  /** Told of what was acked: from then on its ids have persons. */
  acked(events: readonly SentEvent[]): void {
    for (const { distinct_id, properties } of events) {
      if (properties.$process_person_profile !== false) this.#known.add(distinct_id)
    }
  }

  #event(): SentEvent {
    const random = this.#random
    const kind = random.pick(KINDS)
    const id = random.pick(this.#ids)
    // Several events of one moment, as SDKs send them.
    if (random.chance(0.7)) this.#timeMs += TIME_STEP_MS
    const uuid = random.uuid()
    const plain = { n: this.#count++, text: "x".repeat(random.integer(0, TEXT_LENGTH_MAX)) }
    const dated = { uuid, distinct_id: id, timestamp: new Date(this.#timeMs).toISOString() }
    switch (kind) {
      case "undated":
        // Only where a person exists already: its creation would else have the server's time.
        if (!this.#known.has(id)) return { ...dated, event: "plain", properties: plain }
        return { uuid, distinct_id: id, event: "undated", properties: plain }
      case "personless":
        return {
          ...dated,
          event: "personless",
          properties: { ...plain, $process_person_profile: false },
        }
      case "set":
        return { ...dated, event: "$set", properties: { ...plain, ...this.#changes() } }
      case "unset":
        return { ...dated, event: "unset", properties: { ...plain, $unset: [this.#key()] } }
      case "plain":
        return { ...dated, event: "plain", properties: { ...plain, "a.b": { "ü $": [null, 1.5] } } }
      default:
        return { ...dated, event: kind, properties: { ...plain, ...this.#merge(kind) } }
    }
  }

  #merge(kind: string): JsonObject {
    const other = this.#random.chance(0.05) ? "null" : this.#random.pick(this.#ids)
    const changes = this.#random.chance(0.5) ? this.#changes() : {}
    return { ...changes, [kind === "$identify" ? "$anon_distinct_id" : "alias"]: other }
  }

  #changes(): JsonObject {
    const some = () => ({ [this.#key()]: this.#random.integer(0, VALUES_MAX) })
    return { $set: some(), ...(this.#random.chance(0.5) ? { $set_once: some() } : {}) }
  }

  #key(): string {
    return this.#random.pick(["x", "y", "z"])
  }
}
