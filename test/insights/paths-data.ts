/** Events that the worked examples of paths are about, and edges that several of them expect. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"

/** Source, target, how often, and the mean milliseconds where they matter. */
export type Edge = readonly [source: string, target: string, value: number, ms?: number]

export const PAGES = { includeEventTypes: ["$pageview"] }

const timeOf = (day: string, clock: string): string => {
  const [minute = "0", second = "0"] = clock.split(":")
  return new Date(Date.parse(`${day}T03:00:00Z`) + (Number(minute) * 60 + Number(second)) * 1_000)
    .toISOString()
    .replace(".000Z", "Z")
}

/** Pages as "clock url", the clock as minutes and seconds past three. */
export function pages(
  person: string,
  day: string,
  ...visits: readonly string[]
): readonly InsightEvent[] {
  return visits.map((visit) => {
    const [clock = "", url = ""] = visit.split(" ")
    return { person, event: "$pageview", at: timeOf(day, clock), properties: { $current_url: url } }
  })
}

export const customs = (person: string, ...events: readonly string[]): readonly InsightEvent[] =>
  events.map((event) => {
    const place = event.indexOf(" ")
    const at = timeOf("2021-05-01", event.slice(0, place))
    return { person, event: event.slice(place + 1), at }
  })

export const times = (count: number, make: (index: number) => readonly InsightEvent[]) =>
  Array.from({ length: count }, (_, index) => make(index)).flat()

export const withProperty = (events: readonly InsightEvent[], added: JsonObject) =>
  events.map((event) => ({ ...event, properties: { ...event.properties, ...added } }))

export const P1_EVENTS = {
  p1: pages("p1", "2012-01-14", "21 /", "28 /about"),
  p2: [
    ...pages("p2", "2012-01-14", "21 /"),
    ...pages("p2", "2012-01-14", "28 /pricing").map((event) => ({
      ...event,
      distinct_id: "p2 on the web",
    })),
    ...pages("p2", "2012-01-14", "29 /about"),
  ],
  p3: pages("p3", "2012-01-14", "21 /pricing", "28 /"),
  p4: pages("p4", "2012-01-14", "21 /", "28 /pricing"),
  outside: pages("p5", "2012-01-01", "21 /", "28 /pricing"),
}

export const P1: InsightData = {
  events: Object.values(P1_EVENTS).flat(),
  persons: [{ name: "p1", properties: { email: "p1@test.com" } }],
}
export const NOW = "2012-01-15T03:21:34Z"

export const P1_EDGES: readonly Edge[] = [
  ["1_/", "2_/pricing", 2],
  ["1_/", "2_/about", 1],
  ["1_/pricing", "2_/", 1],
  ["2_/pricing", "3_/about", 1],
]

export const P2: InsightData = {
  events: P1.events.flatMap((event) => {
    const names: Record<string, string> = { "/": "1", "/pricing": "2", "/about": "3" }
    const name = names[String(event.properties?.$current_url)]
    return [event, { person: event.person, event: `custom_event_${name}`, at: event.at }]
  }),
}

export const P4: InsightData = {
  events: [
    ...pages("p1", "2012-01-14", "21 /", "28 /about/"),
    ...pages("p2", "2012-01-14", "21 /", "28 /pricing/", "29 /about"),
    ...pages("p3", "2012-01-14", "21 /pricing", "28 /", "29 /about/"),
    ...pages("p4", "2012-01-14", "21 /", "28 /pricing/"),
    ...pages("p5", "2012-01-14", "21 /pricing", "22 /about", "23 /pricing/", "24 /help"),
  ],
}

export const P4_EDGES: readonly Edge[] = [
  ["1_/pricing", "2_/about", 2],
  ["1_/pricing", "2_/", 1],
  ["2_/", "3_/about", 1],
  ["2_/about", "3_/pricing", 1],
  ["3_/pricing", "4_/help", 1],
]

export const P7: InsightData = {
  events: pages("p1", "2012-01-14", "21:34 /1", "22:34 /2", "24:34 /3", "27:34 /4"),
}
export const P7_EDGES: readonly Edge[] = [
  ["1_/1", "2_/2", 1, 60_000],
  ["2_/2", "3_/3", 1, 120_000],
  ["3_/3", "4_/4", 1, 180_000],
]

export const P12: InsightData = {
  events: [
    ...pages("p1", "2012-01-14", "1 /1", "2 /2", "3 /3", "4 /4", "5 /5", "6 /about", "7 /after"),
    ...pages("p2", "2012-01-14", "1 /5", "2 /about"),
    ...pages("p3", "2012-01-14", "1 /3", "2 /4", "3 /about", "4 /after"),
  ],
}

/** 35 people who go through a funnel, or leave it. */
export const P15: InsightData = {
  events: [
    ...times(5, (index) =>
      customs(
        `through ${index}`,
        ...["0 step one", "1 between_step_1_a", "2 between_step_1_b", "3 between_step_1_c"],
        ...["4 step two", "5 step three"],
      ),
    ),
    ...times(10, (index) =>
      customs(
        `halfway ${index}`,
        ...["0 step one", "1 between_step_1_a", "2 between_step_1_b", "3 step two"],
        ...["4:20 between_step_2_a", "5:40 between_step_2_b"],
      ),
    ),
    ...times(20, (index) =>
      customs(
        `gone ${index}`,
        ...["0 step one", "1 step dropoff1", "2 step dropoff2"],
        ...(index % 2 === 0 ? ["3 step branch"] : []),
      ),
    ),
  ],
}
export const MAY = { date_from: "2021-05-01", date_to: "2021-05-07" }

export const P17: InsightData = {
  events: [
    ...times(5, (index) =>
      pages(`p${index}`, "2021-05-01", "0 /1", "1 /2", "2 /3", "3 /4", "4 /5", "5 /about"),
    ),
    ...pages("r2", "2021-05-01", "0 /2", "1 /a", "2 /x", "3 /about"),
    ...pages("r3", "2021-05-01", "0 /2", "1 /b", "2 /x", "3 /about"),
  ],
}

export const P18: InsightData = {
  events: [
    ...pages("p1", "2021-05-01", "0 /1", "1 /2/", "3 /3"),
    ...["0 /screen1", "1 /screen2", "3 /screen3"].flatMap((visit) =>
      pages("p2", "2021-05-01", visit).map(({ at, properties }) => ({
        ...{ person: "p2", event: "$screen", at },
        properties: { $screen_name: properties?.$current_url ?? null },
      })),
    ),
    ...customs("p3", "0 /custom1", "1 /custom2", "3 /custom3"),
  ],
}

export const FUNNEL = {
  kind: "FunnelsQuery",
  series: ["step one", "step two", "step three"].map((event) => ({ kind: "EventsNode", event })),
  dateRange: MAY,
  funnelsFilter: { funnelWindowInterval: 7, funnelWindowIntervalUnit: "day" },
}

export const funnelPaths = (funnelPathType: string, funnelStep: number) => ({
  dateRange: MAY,
  funnelPathsFilter: { funnelPathType, funnelStep, funnelSource: FUNNEL },
})

export const P22_EDGES: readonly Edge[] = [
  ["1_step one", "2_between_step_1_a", 15, 60_000],
  ["2_between_step_1_a", "3_between_step_1_b", 15, 60_000],
  ["3_between_step_1_b", "4_step two", 10, 60_000],
  ["3_between_step_1_b", "4_between_step_1_c", 5, 60_000],
  ["4_between_step_1_c", "5_step two", 5, 60_000],
]

/** 5, 10 and 20 people with two, three and four steps. */
export const STEPS_35: InsightData = {
  events: [5, 10, 20].flatMap((count, kind) =>
    times(count, (index) =>
      customs(
        `p${kind}-${index}`,
        ...["0 step one", "1 step two", "2 step three", "3 step four"].slice(0, kind + 2),
      ),
    ),
  ),
}
