/** Made-up events and funnels about them, in few words. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightEvent } from "../support/insight-store.ts"

export type Timelines = Readonly<Record<string, string>>

/** Events of a day written as "S@1 P@2:30 M@4:00:10", by person; "S@26" is two o'clock of the next day. */
export function onDay(day: string, timelines: Timelines): readonly InsightEvent[] {
  return Object.entries(timelines).flatMap(([person, line]) =>
    line
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => {
        const [event = "", time = "0"] = word.split("@")
        const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
        const ms = Date.parse(`${day}T00:00:00Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000
        return { person, event, at: new Date(ms).toISOString() }
      }),
  )
}

export const withProperties = (
  events: readonly InsightEvent[],
  properties: JsonObject,
): readonly InsightEvent[] =>
  events.map((event) => ({ ...event, properties: { ...event.properties, ...properties } }))

export const steps = (...events: readonly (string | null)[]): readonly JsonObject[] =>
  events.map((event) => ({ kind: "EventsNode", event }))

const MAY = { dateRange: { date_from: "2021-05-01", date_to: "2021-05-31" } }
export const JANUARY = { dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" } }

export const funnel = (
  events: readonly (string | null)[],
  filter: JsonObject = {},
): JsonObject => ({
  kind: "FunnelsQuery",
  series: [...steps(...events)],
  ...MAY,
  funnelsFilter: filter,
})

export const DAY = "2021-05-01"
export const times = (count: number, of: (index: number) => readonly InsightEvent[]) =>
  Array.from({ length: count }, (_, index) => of(index)).flat()
