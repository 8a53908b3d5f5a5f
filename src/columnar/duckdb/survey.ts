/** What an append must know about its events before they are staged, in one pass that lets others work meanwhile. */
import { setImmediate as nextTurn } from "node:timers/promises"
import type { ColumnarTime, EventRow } from "../engine.ts"

export const DAY_MS = 86_400_000
/** A few milliseconds' worth. */
const EVENTS_PER_TURN = 4_096

/** The events as filters of uuids see them: two words of each uuid, and the day. */
export interface EventKeys {
  readonly uuids: readonly string[]
  readonly lows: readonly number[]
  readonly highs: readonly number[]
  /** Days since 1970. */
  readonly days: readonly number[]
}

export interface Survey {
  /** Of events with the same uuid the first. */
  readonly events: readonly EventRow[]
  readonly keys: EventKeys
  readonly from: ColumnarTime | null
  readonly to: ColumnarTime | null
}

export async function surveyEvents(rows: readonly EventRow[]): Promise<Survey> {
  const seen = new Set<string>()
  const events: EventRow[] = []
  const keys = {
    uuids: [] as string[],
    lows: [] as number[],
    highs: [] as number[],
    days: [] as number[],
  }
  const dayOf = createDayReader()
  let from: string | null = null
  let to: string | null = null
  for (const [index, event] of rows.entries()) {
    if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn()
    const { uuid, timestamp } = event
    const before = seen.size
    if (seen.add(`${event.project_id} ${uuid.toLowerCase()}`).size === before) continue
    events.push(event)
    keys.uuids.push(uuid)
    keys.lows.push(Number.parseInt(uuid.slice(28), 16))
    keys.highs.push(Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16))
    keys.days.push(dayOf(timestamp))
    // Times are written alike, so they compare as text.
    if (from === null || timestamp < from) from = timestamp
    if (to === null || timestamp > to) to = timestamp
  }
  return { events, keys, from, to }
}

/** Most events are of the same day as the one before. */
function createDayReader(): (timestamp: ColumnarTime) => number {
  let text = ""
  let day = 0
  return (timestamp) => {
    if (text === "" || !timestamp.startsWith(text)) {
      text = timestamp.slice(0, "2026-01-02".length)
      day = Math.floor(Date.parse(`${text}T00:00:00Z`) / DAY_MS)
      if (Number.isNaN(day)) throw new Error(`the event's time "${timestamp}" is not a time`)
    }
    return day
  }
}
