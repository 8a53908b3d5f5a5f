/** The worked examples of correlations. */
import type { JsonObject } from "../../src/lib/json.ts"
import type { InsightData, InsightEvent } from "../support/insight-store.ts"
import { onDay, steps } from "./funnels-words.ts"

interface CorrelationCase {
  readonly name: string
  readonly data: InsightData
  readonly asked: JsonObject
  /** Name, converted, not converted, odds. */
  readonly expected: readonly (readonly [string, number, number, number])[]
}

const DAY = "2020-01-02"

export const correlation = (more: JsonObject = {}, filter: JsonObject = {}): JsonObject => ({
  kind: "FunnelCorrelationQuery",
  source: {
    kind: "FunnelsActorsQuery",
    source: {
      kind: "FunnelsQuery",
      series: [...steps("signed up", "paid")],
      dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" },
      funnelsFilter: filter,
    },
  },
  ...more,
})

const did = (
  person: string,
  event: string,
  hours: number,
  properties: JsonObject = {},
): readonly InsightEvent[] =>
  onDay(DAY, { [person]: `@${hours}` }).map((each) => ({ ...each, event, properties }))

const people = (count: number, of: (index: number) => readonly InsightEvent[]) =>
  Array.from({ length: count }, (_, index) => of(index)).flat()

/** Of ten who convert and ten who do not, five each did something before. */
export const C1: InsightData = {
  events: [
    ...people(10, (index) => [
      ...did(`good${index}`, "signed up", 1),
      ...(index < 5 ? did(`good${index}`, "positively_related", 2, positive(index)) : []),
      ...did(`good${index}`, "paid", 3),
    ]),
    ...people(10, (index) => [
      ...did(`bad${index}`, "signed up", 1),
      ...(index < 5 ? did(`bad${index}`, "negatively_related", 2, negative(index)) : []),
    ]),
  ],
  persons: [
    ...Array.from({ length: 10 }, (_, index) => ({
      name: `good${index}`,
      properties: { $browser: "Positive" },
    })),
    ...Array.from({ length: 10 }, (_, index) => ({
      name: `bad${index}`,
      properties: index < 5 ? { $browser: "Negative" } : {},
    })),
  ],
}

function positive(index: number): JsonObject {
  return { blah: "value_bleh", signup_source: index < 3 ? "facebook" : "email" }
}

function negative(index: number): JsonObject {
  return { signup_source: index < 3 ? "email" : "shazam" }
}

export const correlationCases: readonly CorrelationCase[] = [
  {
    name: "C1: events before converting and before leaving",
    data: C1,
    asked: correlation(),
    expected: [
      ["positively_related", 5, 0, 11],
      ["negatively_related", 0, 5, 1 / 11],
    ],
  },
  {
    name: "C2: an event left out",
    data: C1,
    asked: correlation({ funnelCorrelationExcludeEventNames: ["positively_related"] }),
    expected: [["negatively_related", 0, 5, 1 / 11]],
  },
  {
    name: "C3: events of the steps' names never count, whatever else the steps want",
    data: {
      events: [
        ...people(3, (index) => [
          ...did(`good${index}`, "signed up", 1, { key: "val" }),
          ...(index < 2 ? did(`good${index}`, "positively_related", 2) : []),
          ...did(`good${index}`, "signed up", 2, { key: "other" }),
          ...did(`good${index}`, "paid", 3),
        ]),
        ...did("bad", "signed up", 1, { key: "val" }),
        ...did("bad", "signed up", 2, { key: "other" }),
      ],
    },
    asked: correlation({
      source: {
        kind: "FunnelsQuery",
        series: [
          {
            kind: "EventsNode",
            event: "signed up",
            properties: [{ key: "key", value: "val", operator: "exact", type: "event" }],
          },
          ...steps("paid"),
        ],
        dateRange: { date_from: "2020-01-01", date_to: "2020-01-14" },
      },
    }),
    expected: [["positively_related", 2, 0, 3]],
  },
  {
    name: "C5: two and two",
    data: {
      events: [
        ...people(2, (index) => [
          ...did(`good${index}`, "signed up", 1),
          ...did(`good${index}`, "positive", 2),
          ...did(`good${index}`, "paid", 3),
          ...did(`bad${index}`, "signed up", 1),
        ]),
        ...did("bad0", "negatively_related", 2),
      ],
    },
    asked: correlation(),
    expected: [
      ["positive", 2, 0, 9],
      ["negatively_related", 0, 1, 1 / 3],
    ],
  },
  {
    name: "C6: only within the window of those who leave",
    data: {
      events: [
        ...did("good", "signed up", 1),
        ...onDay(DAY, { good: "positively_related@1:02 paid@1:04" }),
        ...did("bad", "signed up", 1),
        ...onDay(DAY, { bad: "negatively_related@1:15" }),
      ],
    },
    asked: correlation({}, { funnelWindowInterval: 10, funnelWindowIntervalUnit: "minute" }),
    expected: [["positively_related", 1, 0, 4]],
  },
  {
    name: "C8: events with their properties",
    data: C1,
    asked: correlation({
      funnelCorrelationType: "event_with_properties",
      funnelCorrelationEventNames: ["positively_related", "negatively_related"],
    }),
    expected: [
      ["positively_related::blah::value_bleh", 5, 0, 11],
      ["positively_related::signup_source::facebook", 3, 0, 5.5],
      ["negatively_related::signup_source::email", 0, 3, 2 / 11],
    ],
  },
  {
    name: "properties of persons that are named keep those without a value",
    data: C1,
    asked: correlation({
      funnelCorrelationType: "properties",
      funnelCorrelationNames: ["$browser"],
    }),
    expected: [
      ["$browser::Positive", 10, 0, 121],
      ["$browser::", 0, 5, 1 / 11],
      ["$browser::Negative", 0, 5, 1 / 11],
    ],
  },
  {
    name: "all properties of persons leave out those without a value",
    data: C1,
    asked: correlation({
      funnelCorrelationType: "properties",
      funnelCorrelationNames: ["$all"],
      funnelCorrelationExcludeNames: ["$creator_event_uuid"],
    }),
    expected: [
      ["$browser::Positive", 10, 0, 121],
      ["$browser::Negative", 0, 5, 1 / 11],
    ],
  },
]
