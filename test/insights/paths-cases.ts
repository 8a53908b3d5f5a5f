/** The worked examples of paths: data, questions, and the edges that are right. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"
import type { CaptureSettings } from "./capture-data.ts"

/** Source, target, how often, and the mean milliseconds where they matter. */
type Edge = readonly [source: string, target: string, value: number, ms?: number]

interface PathsCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly expected: readonly Edge[]
  readonly settings?: CaptureSettings
  readonly now?: string
}

const PAGES = { includeEventTypes: ["$pageview"] }

const timeOf = (day: string, clock: string): string => {
  const [minute = "0", second = "0"] = clock.split(":")
  return new Date(Date.parse(`${day}T03:00:00Z`) + (Number(minute) * 60 + Number(second)) * 1_000)
    .toISOString()
    .replace(".000Z", "Z")
}

/** Pages as "clock url", the clock as minutes and seconds past three. */
function pages(person: string, day: string, ...visits: readonly string[]): readonly InsightEvent[] {
  return visits.map((visit) => {
    const [clock = "", url = ""] = visit.split(" ")
    return { person, event: "$pageview", at: timeOf(day, clock), properties: { $current_url: url } }
  })
}

const customs = (person: string, ...events: readonly string[]): readonly InsightEvent[] =>
  events.map((event) => {
    const place = event.indexOf(" ")
    const at = timeOf("2021-05-01", event.slice(0, place))
    return { person, event: event.slice(place + 1), at }
  })

const times = (count: number, make: (index: number) => readonly InsightEvent[]) =>
  Array.from({ length: count }, (_, index) => make(index)).flat()

const withProperty = (events: readonly InsightEvent[], added: JsonObject) =>
  events.map((event) => ({ ...event, properties: { ...event.properties, ...added } }))

const P1_EVENTS = {
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

const P1: InsightData = {
  events: Object.values(P1_EVENTS).flat(),
  persons: [{ name: "p1", properties: { email: "p1@test.com" } }],
}
const NOW = "2012-01-15T03:21:34Z"

const P1_EDGES: readonly Edge[] = [
  ["1_/", "2_/pricing", 2],
  ["1_/", "2_/about", 1],
  ["1_/pricing", "2_/", 1],
  ["2_/pricing", "3_/about", 1],
]

const P2: InsightData = {
  events: P1.events.flatMap((event) => {
    const names: Record<string, string> = { "/": "1", "/pricing": "2", "/about": "3" }
    const name = names[String(event.properties?.$current_url)]
    return [event, { person: event.person, event: `custom_event_${name}`, at: event.at }]
  }),
}

const P4: InsightData = {
  events: [
    ...pages("p1", "2012-01-14", "21 /", "28 /about/"),
    ...pages("p2", "2012-01-14", "21 /", "28 /pricing/", "29 /about"),
    ...pages("p3", "2012-01-14", "21 /pricing", "28 /", "29 /about/"),
    ...pages("p4", "2012-01-14", "21 /", "28 /pricing/"),
    ...pages("p5", "2012-01-14", "21 /pricing", "22 /about", "23 /pricing/", "24 /help"),
  ],
}

const P4_EDGES: readonly Edge[] = [
  ["1_/pricing", "2_/about", 2],
  ["1_/pricing", "2_/", 1],
  ["2_/", "3_/about", 1],
  ["2_/about", "3_/pricing", 1],
  ["3_/pricing", "4_/help", 1],
]

const P7: InsightData = {
  events: pages("p1", "2012-01-14", "21:34 /1", "22:34 /2", "24:34 /3", "27:34 /4"),
}
const P7_EDGES: readonly Edge[] = [
  ["1_/1", "2_/2", 1, 60_000],
  ["2_/2", "3_/3", 1, 120_000],
  ["3_/3", "4_/4", 1, 180_000],
]

const P12: InsightData = {
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

const P17: InsightData = {
  events: [
    ...times(5, (index) =>
      pages(`p${index}`, "2021-05-01", "0 /1", "1 /2", "2 /3", "3 /4", "4 /5", "5 /about"),
    ),
    ...pages("r2", "2021-05-01", "0 /2", "1 /a", "2 /x", "3 /about"),
    ...pages("r3", "2021-05-01", "0 /2", "1 /b", "2 /x", "3 /about"),
  ],
}

const P18: InsightData = {
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

const funnelPaths = (funnelPathType: string, funnelStep: number) => ({
  dateRange: MAY,
  funnelPathsFilter: { funnelPathType, funnelStep, funnelSource: FUNNEL },
})

const P22_EDGES: readonly Edge[] = [
  ["1_step one", "2_between_step_1_a", 15, 60_000],
  ["2_between_step_1_a", "3_between_step_1_b", 15, 60_000],
  ["3_between_step_1_b", "4_step two", 10, 60_000],
  ["3_between_step_1_b", "4_between_step_1_c", 5, 60_000],
  ["4_between_step_1_c", "5_step two", 5, 60_000],
]

export const pathsCases: readonly PathsCase[] = [
  {
    name: "P1: pages of the last week, of a person with two ids too",
    ...{ data: P1, asked: { pathsFilter: PAGES }, expected: P1_EDGES, now: NOW },
  },
  {
    name: "P1: without test accounts",
    data: P1,
    asked: { pathsFilter: PAGES, filterTestAccounts: true },
    settings: {
      test_account_filters: [
        { key: "email", value: "@test.com", operator: "not_icontains", type: "person" },
      ],
    },
    expected: P1_EDGES.filter(([, target]) => target !== "2_/about"),
    now: NOW,
  },
  {
    name: "P1: a range without events",
    data: P1,
    asked: {
      pathsFilter: PAGES,
      dateRange: { date_from: "2012-01-02", date_to: "2012-01-13" },
    },
    ...{ expected: [], now: NOW },
  },
  {
    name: "P1: a range from a day on",
    data: P1,
    asked: { pathsFilter: PAGES, dateRange: { date_from: "2012-01-13" } },
    ...{ expected: P1_EDGES, now: NOW },
  },
  {
    name: "P2: custom events only",
    data: P2,
    asked: { pathsFilter: { includeEventTypes: ["custom_event"] } },
    expected: [
      ["1_custom_event_1", "2_custom_event_2", 2],
      ["1_custom_event_1", "2_custom_event_3", 1],
      ["1_custom_event_2", "2_custom_event_1", 1],
      ["2_custom_event_2", "3_custom_event_3", 1],
    ],
    now: NOW,
  },
  {
    name: "P3: events with a property",
    data: {
      events: [
        ...withProperty([...P1_EVENTS.p1, ...P1_EVENTS.p2], { $browser: "Chrome" }),
        ...P1_EVENTS.p3,
        ...P1_EVENTS.p4,
      ],
    },
    asked: {
      pathsFilter: PAGES,
      properties: [{ key: "$browser", value: "Chrome", type: "event" }],
    },
    expected: [
      ["1_/", "2_/about", 1],
      ["1_/", "2_/pricing", 1],
      ["2_/pricing", "3_/about", 1],
    ],
    now: NOW,
  },
  ...["/pricing", "/pricing/"].map((startPoint) => ({
    name: `P4: paths from ${startPoint}`,
    ...{ data: P4, asked: { pathsFilter: { ...PAGES, startPoint } }, expected: P4_EDGES, now: NOW },
  })),
  {
    name: "P6: the same way on two days",
    data: {
      events: ["2012-01-14", "2012-01-15"].flatMap((day) => pages("p1", day, "25 /", "30 /about")),
    },
    asked: { pathsFilter: PAGES },
    ...{ expected: [["1_/", "2_/about", 2, 300_000]], now: NOW },
  },
  ...[2, 3, 4].map((stepLimit) => ({
    name: `P7: at most ${stepLimit} steps`,
    data: P7,
    asked: { pathsFilter: { ...PAGES, stepLimit } },
    ...{ expected: P7_EDGES.slice(0, stepLimit - 1), now: NOW },
  })),
  {
    name: "P9: the mean time of two paths",
    data: {
      events: [
        ...pages("p1", "2012-01-13", "21:34 /1", "22:34 /2", "24:34 /3"),
        ...pages("p1", "2012-01-14", "21:54 /1", "22:54 /2/", "26:54 /3"),
      ],
    },
    asked: { pathsFilter: PAGES },
    expected: [
      ["1_/1", "2_/2", 2, 60_000],
      ["2_/2", "3_/3", 2, 180_000],
    ],
    now: NOW,
  },
  {
    name: "P10: equal items in a row are one step, at the moment of the last",
    data: {
      events: [
        ...pages("a", "2012-01-14", "21:34 /1", "21:54 /1", "22:34 /2", "22:54 /2/", "24:54 /3"),
        ...pages("b", "2012-01-14", "21:34 /1", "23:34 /2/", "27:34 /3"),
      ],
    },
    asked: { pathsFilter: PAGES },
    expected: [
      ["1_/1", "2_/2", 2, 90_000],
      ["2_/2", "3_/3", 2, 180_000],
    ],
    now: NOW,
  },
  {
    name: "P12: from one point to another",
    data: P12,
    asked: { pathsFilter: { ...PAGES, startPoint: "/5", endPoint: "/about/" } },
    ...{ expected: [["1_/5", "2_/about", 2]], now: NOW },
  },
  {
    name: "between two points, the middle of long paths is a gap",
    data: P12,
    asked: { pathsFilter: { ...PAGES, startPoint: "/1", endPoint: "/about", stepLimit: 4 } },
    expected: [
      ["1_/1", "2_/2", 1, 60_000],
      ["2_/2", "3_...", 1, 60_000],
      ["3_...", "4_/5", 1, 120_000],
      ["4_/5", "5_/about", 1, 60_000],
    ],
    now: NOW,
  },
  {
    name: "to a point, the last steps are kept",
    data: P12,
    asked: { pathsFilter: { ...PAGES, endPoint: "/about", stepLimit: 2 } },
    expected: [
      ["1_/5", "2_/about", 2],
      ["1_/4", "2_/about", 1],
    ],
    now: NOW,
  },
  {
    name: "P14: fifty people, half of whom go on",
    data: {
      events: times(50, (index) =>
        customs(
          `p${index}`,
          ...["0 step one", "1 step two", "2 step three"],
          ...(index % 2 === 0 ? ["3 step branch"] : []),
        ),
      ),
    },
    asked: { dateRange: MAY },
    expected: [
      ["1_step one", "2_step two", 50, 60_000],
      ["2_step two", "3_step three", 50, 60_000],
      ["3_step three", "4_step branch", 25, 60_000],
    ],
  },
  {
    name: "P15: groupings with wildcards",
    data: P15,
    asked: {
      dateRange: MAY,
      pathsFilter: { pathGroupings: ["between_step_1_*", "between_step_2_*", "step drop*"] },
    },
    expected: [
      ["1_step one", "2_step drop*", 20, 120_000],
      ["1_step one", "2_between_step_1_*", 15, 140_000],
      ["2_between_step_1_*", "3_step two", 15, 60_000],
      ["2_step drop*", "3_step branch", 10, 60_000],
      ["3_step two", "4_between_step_2_*", 10, 160_000],
      ["3_step two", "4_step three", 5, 60_000],
    ],
  },
  {
    name: "P17: edges that nothing leads to are left out",
    data: P17,
    asked: { dateRange: MAY, pathsFilter: { ...PAGES, startPoint: "/2", edgeLimit: 6 } },
    expected: [
      ["1_/2", "2_/3", 5, 60_000],
      ["2_/3", "3_/4", 5, 60_000],
      ["3_/4", "4_/5", 5, 60_000],
      ["4_/5", "5_/about", 5, 60_000],
      ["1_/2", "2_/a", 1, 60_000],
    ],
  },
  {
    name: "edges of some weight, orphans too",
    data: P17,
    asked: {
      dateRange: MAY,
      pathsFilter: { ...PAGES, startPoint: "/2", minEdgeWeight: 2, maxEdgeWeight: 4 },
    },
    expected: [["3_/x", "4_/about", 2]],
  },
  {
    name: "P18: all types, without some items",
    data: P18,
    asked: {
      dateRange: MAY,
      pathsFilter: {
        includeEventTypes: ["$pageview", "$screen", "custom_event"],
        excludeEvents: ["/custom1", "/1", "/2", "/3"],
      },
    },
    expected: [
      ["1_/custom2", "2_/custom3", 1, 120_000],
      ["1_/screen1", "2_/screen2", 1, 60_000],
      ["2_/screen2", "3_/screen3", 1, 120_000],
    ],
  },
  {
    name: "P19: some custom events",
    data: P18,
    asked: { dateRange: MAY, pathsFilter: { includeCustomEvents: ["/custom1", "/custom2"] } },
    expected: [["1_/custom1", "2_/custom2", 1, 60_000]],
  },
  {
    name: "P19: one custom event and one that nobody did",
    data: P18,
    asked: { dateRange: MAY, pathsFilter: { includeCustomEvents: ["/custom3", "blah"] } },
    expected: [],
  },
  {
    name: "P20: after the step that people leave a funnel at",
    data: P15,
    asked: funnelPaths("funnel_path_after_step", -2),
    expected: [
      ["1_step one", "2_step dropoff1", 20, 60_000],
      ["2_step dropoff1", "3_step dropoff2", 20, 60_000],
      ["3_step dropoff2", "4_step branch", 10, 60_000],
    ],
  },
  {
    name: "P22: before a step of a funnel",
    ...{ data: P15, asked: funnelPaths("funnel_path_before_step", 2), expected: P22_EDGES },
  },
  {
    name: "P22: between two steps of a funnel",
    ...{ data: P15, asked: funnelPaths("funnel_path_between_steps", 2), expected: P22_EDGES },
  },
]

/** Edges as the answer shows them; times that do not matter match anything. */
export const shownEdges = (edges: readonly Edge[]): readonly JsonObject[] =>
  edges.map(([source, target, value, ms]) => ({
    ...{ source, target, value },
    ...(ms === undefined ? {} : { average_conversion_time: ms }),
  }))

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

/** A step, and how many end there, come to it, and go on from it. */
export const lookupCases: readonly (readonly [
  key: string,
  dropoff: number,
  end: number,
  start: number,
])[] = [
  ["2_step two", 5, 35, 30],
  ["3_step three", 10, 30, 20],
  ["4_step four", 20, 20, 0],
]
