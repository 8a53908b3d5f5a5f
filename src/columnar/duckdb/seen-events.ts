/**
 * Tells cheaply that an event is new, so that appends need not look through a day of stored events for each batch.
 * Per day of the events' timestamps a filter of their uuids is kept in memory, as far as a budget goes; it is
 * filled from the store in the background, and whatever it cannot rule out is looked up in the store.
 */
import type { DuckDBConnection } from "@duckdb/node-api"
import { DAY_MS, type EventKeys } from "./survey.ts"
import { UuidFilter } from "./uuid-filter.ts"

const BUDGET_BYTES = 64 * 1024 * 1024
/** A batch over more days than this is history being imported: its filters would only push out others. */
const BATCH_DAYS_MAX = 40

interface DayFilter {
  readonly filter: UuidFilter
  isLoaded: boolean
}

export class SeenEvents {
  /** In the order of their use, latest last. */
  readonly #days = new Map<number, DayFilter>()
  readonly #query: Query
  #loading: Promise<void> = Promise.resolve()

  constructor(query: Query) {
    this.#query = query
  }

  /** Begins to fill the filters that an append of these will ask. */
  expect(keys: EventKeys): void {
    const days = daysAround(keys)
    if (days.size > BATCH_DAYS_MAX) return
    for (const day of days) {
      const known = this.#days.get(day)
      this.#days.delete(day)
      this.#days.set(day, known ?? this.#create(day))
    }
  }

  #create(day: number): DayFilter {
    const created: DayFilter = { filter: new UuidFilter(), isLoaded: false }
    this.#loading = this.#loading
      .then(() => this.#load(day, created))
      // Without the filter, appends look into the store.
      .catch(() => this.#drop(day, created))
    return created
  }

  async #load(day: number, created: DayFilter): Promise<void> {
    if (this.#days.get(day) !== created) return
    await this.#query(async (connection) => {
      const result = await connection.stream(DAY_SQL, [dayText(day), dayText(day + 1)])
      for (
        let chunk = await result.fetchChunk();
        chunk !== null;
        chunk = await result.fetchChunk()
      ) {
        if (chunk.rowCount === 0) break
        const lows = chunk.getColumnValues(0)
        const highs = chunk.getColumnValues(1)
        for (let row = 0; row < chunk.rowCount; row++) {
          this.#put(created, Number(lows[row]), Number(highs[row]))
        }
      }
    })
    created.isLoaded = true
  }

  #drop(day: number, filter: DayFilter): void {
    if (this.#days.get(day) === filter) this.#days.delete(day)
  }

  /** The uuids that may be stored already; undefined when nothing is known. */
  findSuspects(keys: EventKeys): readonly string[] | undefined {
    for (const day of daysAround(keys)) if (this.#days.get(day)?.isLoaded !== true) return undefined
    const suspects: string[] = []
    for (let index = 0; index < keys.uuids.length; index++) {
      if (this.#mayHave(keys, index)) suspects.push(keys.uuids[index] as string)
    }
    return suspects
  }

  #mayHave({ lows, highs, days }: EventKeys, index: number): boolean {
    const low = lows[index] as number
    const high = highs[index] as number
    const day = days[index] as number
    for (let near = day - 1; near <= day + 1; near++) {
      if (this.#days.get(near)?.filter.has(low, high) === true) return true
    }
    return false
  }

  /**
   * To be told after the commit, before the next append asks. Filters that are still being filled get them too:
   * what was committed before such a filter existed is found in the store, what came after is told here.
   */
  add({ lows, highs, days }: EventKeys): void {
    for (let index = 0; index < lows.length; index++) {
      const known = this.#days.get(days[index] as number)
      if (known) this.#put(known, lows[index] as number, highs[index] as number)
    }
  }

  /** Events were stored that nobody told about. */
  clear(): void {
    this.#days.clear()
  }

  #put(day: DayFilter, low: number, high: number): void {
    const { growthBytes } = day.filter
    if (growthBytes > 0 && this.#makeRoom(day, growthBytes)) day.filter.grow()
    day.filter.add(low, high)
  }

  /** Forgets the days that were not asked for longest. */
  #makeRoom(kept: DayFilter, bytes: number): boolean {
    let total = bytes
    for (const { filter } of this.#days.values()) total += filter.sizeBytes
    for (const [number, day] of this.#days) {
      if (total <= BUDGET_BYTES) break
      if (day === kept) continue
      this.#days.delete(number)
      total -= day.filter.sizeBytes
    }
    return total <= BUDGET_BYTES
  }
}

type Query = (work: (connection: DuckDBConnection) => Promise<void>) => Promise<void>

/** The same two words as in `survey.ts`. */
const DAY_SQL = `SELECT CAST('0x' || substr(text, 29, 8) AS UINTEGER),
    CAST('0x' || substr(text, 20, 4) || substr(text, 25, 4) AS UINTEGER)
  FROM (SELECT CAST(uuid AS VARCHAR) AS text FROM events
    WHERE "timestamp" >= CAST($1 AS TIMESTAMP) AND "timestamp" < CAST($2 AS TIMESTAMP))`

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString()
}

/** A retry's timestamp may differ a little, and fall on the next day or the one before. */
function daysAround({ days }: EventKeys): Set<number> {
  const all = new Set<number>()
  let last: number | undefined
  for (const day of days) {
    if (day === last) continue
    last = day
    for (let near = day - 1; near <= day + 1; near++) all.add(near)
  }
  return all
}
