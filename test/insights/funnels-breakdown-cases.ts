/** The worked examples of funnels by values. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"
import { DAY, funnel, JANUARY, onDay, times, withProperties } from "./funnels-words.ts"

interface BreakdownCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  /** By the values as JSON text: counts, and the averages after the first step where given. */
  readonly expected: Readonly<
    Record<string, { readonly counts: readonly number[]; readonly averages?: readonly number[] }>
  >
}

const brokenBy = (
  breakdown: JsonValue,
  events: readonly string[],
  filter: JsonObject = {},
): JsonObject => ({
  ...funnel(events, filter),
  breakdownFilter: { breakdown, breakdown_type: "event" },
})

/** Signs up at noon and buys at one, each with the browser given. */
const signsUp = (
  person: string,
  first: JsonObject,
  then: JsonObject | undefined,
  hours = 1,
): readonly InsightEvent[] => [
  ...withProperties(onDay(DAY, { [person]: "S@12" }), first),
  ...(then === undefined ? [] : withProperties(onDay(DAY, { [person]: `B@${12 + hours}` }), then)),
]

const B5 = [
  ...signsUp("p1", { $browser: "Chrome" }, {}),
  ...signsUp("p2", {}, { $browser: "Safari" }, 24),
  ...signsUp("p3", { $browser: "Mac" }, {}),
  ...signsUp("p4", { $browser: 0 }, { $browser: "alakazam" }),
]
const hour = { counts: [1, 1], averages: [3_600] }
const dayLong = { counts: [1, 1], averages: [86_400] }

export const breakdownCases: readonly BreakdownCase[] = [
  {
    name: "B1: counts and times by browser",
    data: {
      events: [
        ...withProperties(onDay(DAY, { p1: "S@12 play@13 buy@15" }), { $browser: "Chrome" }),
        ...withProperties(onDay(DAY, { p2: "S@14 play@16", p3: "S@14" }), { $browser: "Safari" }),
      ],
    },
    asked: brokenBy("$browser", ["S", "play", "buy"]),
    expected: {
      '["Chrome"]': { counts: [1, 1, 1], averages: [3_600, 7_200] },
      '["Safari"]': { counts: [2, 1, 0] },
    },
  },
  {
    name: "B3: values past the limit are one",
    data: {
      events: times(9, (index) =>
        times(index + 1, (user) =>
          withProperties(onDay(DAY, { [`u${index}-${user}`]: "S@12" }), { n: index + 1 }),
        ),
      ),
    },
    asked: {
      ...funnel(["S"]),
      breakdownFilter: { breakdown: "n", breakdown_type: "event", breakdown_limit: 5 },
    },
    expected: {
      '["9"]': { counts: [9] },
      '["8"]': { counts: [8] },
      '["7"]': { counts: [7] },
      '["6"]': { counts: [6] },
      '["5"]': { counts: [5] },
      '["Other"]': { counts: [10] },
    },
  },
  {
    name: "B5: the first value that a person has",
    data: { events: [...B5, ...signsUp("p5", {}, {})] },
    asked: brokenBy("$browser", ["S", "B"], { breakdownAttributionType: "first_touch" }),
    expected: {
      '[""]': hour,
      '["0"]': hour,
      '["Chrome"]': hour,
      '["Mac"]': hour,
      '["Safari"]': dayLong,
    },
  },
  {
    name: "B6: the last value that a person has",
    data: { events: [...B5, ...signsUp("p5", {}, {})] },
    asked: brokenBy("$browser", ["S", "B"], { breakdownAttributionType: "last_touch" }),
    expected: {
      '[""]': hour,
      '["alakazam"]': hour,
      '["Chrome"]': hour,
      '["Mac"]': hour,
      '["Safari"]': dayLong,
    },
  },
  {
    name: "B7: the value at the first step",
    data: { events: B5 },
    asked: brokenBy("$browser", ["S", "B"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 0,
    }),
    expected: { '[""]': dayLong, '["0"]': hour, '["Chrome"]': hour, '["Mac"]': hour },
  },
  {
    name: "B9: the value at the second step, which some never take",
    data: {
      events: [
        ...signsUp("p1", { $browser: "Chrome" }, {}),
        ...signsUp("p2", {}, undefined),
        ...signsUp("p3", { $browser: "Mac" }, undefined),
        ...signsUp("p4", { $browser: 0 }, { $browser: "alakazam" }),
      ],
    },
    asked: brokenBy("$browser", ["S", "B"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 1,
    }),
    expected: { '[""]': hour, '["alakazam"]': hour },
  },
  {
    name: "B10: one person with four values at the first step",
    data: {
      events: ["Chrome", "Safari", "Mac", 0].flatMap((value) =>
        signsUp("p1", { $browser: value }, undefined),
      ),
    },
    asked: brokenBy("$browser", ["S"], {
      breakdownAttributionType: "step",
      breakdownAttributionValue: 0,
    }),
    expected: {
      '["0"]': { counts: [1] },
      '["Chrome"]': { counts: [1] },
      '["Mac"]': { counts: [1] },
      '["Safari"]': { counts: [1] },
    },
  },
  {
    name: "B12: by two properties",
    data: {
      events: [
        ...signsUp("p1", { $browser: "Chrome", $version: "xyz" }, {}),
        ...signsUp("p2", {}, { $browser: "Safari", $version: "xyz" }, 24),
        ...signsUp("p3", { $browser: "Mac" }, undefined),
        ...signsUp("p4", { $browser: 0, $version: 0 }, undefined),
        ...signsUp("p5", {}, {}),
      ],
    },
    asked: brokenBy(["$browser", "$version"], ["S", "B"]),
    expected: {
      '["",""]': { counts: [1, 1] },
      '["0","0"]': { counts: [1, 0] },
      '["Chrome","xyz"]': { counts: [1, 1] },
      '["Mac",""]': { counts: [1, 0] },
      '["Safari","xyz"]': dayLong,
    },
  },
  {
    name: "C5: only the address that is filtered for",
    data: {
      events: [
        ...withProperties(
          [...onDay("2020-01-02", { a: "S@14" }), ...onDay("2020-01-10", { a: "P@14" })],
          { $current_url: "https://example.com/docs/x" },
        ),
        ...times(40, (index) =>
          withProperties(onDay("2020-01-02", { [`b${index}`]: "S@14" }), {
            $current_url: `https://example.com/blog/${index}`,
          }),
        ),
      ],
    },
    asked: {
      ...brokenBy("$current_url", ["S", "P"]),
      ...JANUARY,
      properties: [
        { key: "$current_url", value: "https://example.com/docs", operator: "icontains" },
      ],
    },
    expected: {
      '["https://example.com/docs/x"]': { counts: [1, 1], averages: [691_200] },
    },
  },
]
