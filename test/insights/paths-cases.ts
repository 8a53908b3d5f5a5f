/** The worked examples of paths: data, questions, and the edges that are right. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData } from "../support/insight-store.ts"
import type { CaptureSettings } from "./capture-data.ts"
import {
  customs,
  type Edge,
  funnelPaths,
  MAY,
  NOW,
  P1,
  P1_EDGES,
  P1_EVENTS,
  P2,
  P4,
  P4_EDGES,
  P7,
  P7_EDGES,
  P12,
  P15,
  P17,
  P18,
  P22_EDGES,
  PAGES,
  pages,
  times,
  withProperty,
} from "./paths-data.ts"

interface PathsCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  readonly expected: readonly Edge[]
  readonly settings?: CaptureSettings
  readonly now?: string
}

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
