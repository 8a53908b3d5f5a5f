/** Queries of every shape, over the rows of `queries.server.test.ts`. For tests. */
import {
  aggregate,
  aggregateIf,
  amongTexts,
  and,
  asc,
  boolean,
  call,
  column,
  desc,
  EVENTS,
  eq,
  eventsWithPersons,
  gt,
  isNull,
  not,
  number,
  or,
  orFalse,
  personOfEvent,
  properties,
  property,
  text,
} from "../../query/build.ts"
import type { Query, Value } from "../../query/tree.ts"

import { JOIN_CASES } from "./query-cases-joins.ts"
import { at, id, inOrder, of, perEvent, select, sub, total } from "./query-parts.ts"

export const QUERY_CASES: Readonly<Record<string, Query>> = {
  "forms of properties": select(
    {
      id,
      text: of("v"),
      number: of("v", "number"),
      boolean: of("v", "boolean"),
      json: of("v", "json"),
      all: properties(EVENTS, "event"),
    },
    inOrder,
  ),
  "conditions as values": select(
    {
      id,
      same: eq(of("k"), text("a")),
      more: gt(of("n", "number"), number(2)),
      among: amongTexts(of("k"), ["a", "c"]),
      none: amongTexts(of("k"), []),
      missing: isNull(of("k")),
      both: and(eq(of("k"), text("a")), gt(of("n", "number"), number(2))),
      either: or(eq(of("k"), text("a")), gt(of("n", "number"), number(2))),
      not: not(eq(of("k"), text("a"))),
      sure: orFalse(eq(of("k"), text("a"))),
      flag: boolean(true),
      always: and(),
      never: or(),
    },
    inOrder,
  ),
  "lists with null": select(
    {
      id,
      found: {
        kind: "in",
        operand: of("k"),
        values: [{ type: "text", value: "a" }, { type: "null" }] as Value[],
      },
    },
    inOrder,
  ),
  "queries in conditions": select(
    {
      id,
      found: {
        kind: "inQuery",
        operand: of("k"),
        query: select({ k: of("k") }, { where: eq(of("k"), text("a")) }),
      },
      withNull: {
        kind: "inQuery",
        operand: of("k"),
        query: select({ k: of("k") }, { where: or(isNull(of("k")), eq(of("k"), text("a"))) }),
      },
      ofUnion: {
        kind: "inQuery",
        operand: of("k"),
        query: { kind: "union", queries: [select({ k: text("a") }), select({ k: text("b") })] },
      },
    },
    inOrder,
  ),
  aggregates: select({
    rows: aggregate("count"),
    set: aggregate("count", of("k")),
    different: aggregate("countDistinct", of("k")),
    persons: aggregate("countDistinct", at("person_id")),
    min: aggregate("min", of("n", "number")),
    max: aggregate("max", of("k")),
    sum: aggregate("sum", of("n", "number")),
    avg: aggregate("avg", of("n", "number")),
    first: aggregate("min", at("timestamp")),
    median: { ...aggregate("quantile", of("n", "number")), params: [0.5] },
    p90: { ...aggregate("quantile", of("n", "number")), params: [0.9] },
    early: aggregate("argMin", of("k"), at("timestamp")),
    late: aggregate("argMax", of("k"), at("timestamp")),
    some: aggregateIf(aggregate("count"), eq(of("k"), text("a"))),
    sumSome: aggregateIf(aggregate("sum", of("n", "number")), eq(of("k"), text("a"))),
    stddev: aggregate("stddevPop", of("n", "number")),
    sample: aggregate("varSamp", of("n", "number")),
    covar: aggregate("covarPop", of("n", "number"), of("n", "number")),
    corr: aggregate("corr", of("n", "number"), of("n", "number")),
    slope: aggregate("regressionSlope", of("n", "number"), of("n", "number")),
    ofFlags: aggregate("max", eq(of("k"), text("a"))),
    bits: aggregate("bitOrOf", call("toInteger", of("n", "number"))),
    distinctSum: { ...aggregate("sum", of("n", "number")), distinct: true },
  }),
  "aggregates of nothing": select(
    {
      rows: aggregate("count"),
      sum: aggregate("sum", of("n", "number")),
      avg: aggregate("avg", of("n", "number")),
      min: aggregate("min", at("timestamp")),
      any: aggregate("any", at("event")),
      list: aggregate("groupArray", at("event")),
      median: { ...aggregate("quantile", of("n", "number")), params: [0.5] },
      stddev: aggregate("stddevSamp", of("n", "number")),
      late: aggregate("argMax", at("event"), at("timestamp")),
      different: aggregate("countDistinct", at("event")),
    },
    { where: boolean(false) },
  ),
  "gathered arrays": select({
    sorted: { ...aggregate("groupArray", of("k")), orderBy: [asc(at("uuid"))] },
    turned: {
      ...aggregate("groupArray", of("k")),
      orderBy: [desc(of("n", "number")), asc(at("uuid"))],
    },
    nullsFirst: {
      ...aggregate("groupArray", at("event")),
      orderBy: [{ expr: of("n", "number"), direction: "asc", nulls: "first" }, desc(at("uuid"))],
    },
    some: {
      ...aggregateIf(aggregate("groupArray", of("k")), gt(of("n", "number"), number(1))),
      orderBy: [asc(at("uuid"))],
    },
    different: call("arraySort", aggregate("groupUniqArray", of("k"))),
  }),
  groups: select(
    {
      k: of("k"),
      n: aggregate("count"),
      half: { kind: "arithmetic", operator: "/", left: aggregate("count"), right: number(2) },
    },
    {
      groupBy: [of("k")],
      having: gt(aggregate("count"), number(0)),
      orderBy: [{ expr: of("k"), direction: "desc", nulls: "first" }],
      limit: 2,
      offset: 1,
    },
  ),
  "numbers of both kinds": select(
    {
      id,
      chosen: {
        kind: "case",
        branches: [{ when: eq(of("k"), text("a")), result: of("n", "number") }],
        otherwise: number(0),
      },
      orCount: call("coalesce", of("n", "number"), at("project_id")),
      most: call("greatest", of("n", "number"), number(3)),
      divided: { kind: "arithmetic", operator: "/", left: number(1), right: of("n", "number") },
      byNothing: { kind: "arithmetic", operator: "/", left: number(1), right: number(0) },
      rest: { kind: "arithmetic", operator: "%", left: number(7), right: number(0) },
      negative: { kind: "arithmetic", operator: "%", left: number(-7), right: number(3) },
    },
    inOrder,
  ),
  "mixed with counts": select(
    {
      n: call("coalesce", column("q", "n"), number(0.5)),
      other: {
        kind: "case",
        branches: [{ when: gt(total, number(1)), result: total }],
        otherwise: number(0.5),
      },
    },
    { from: sub(perEvent), orderBy: [asc(column("q", "event"))] },
  ),
  unions: {
    kind: "union",
    queries: [
      select({ k: of("k"), n: number(1) }, { orderBy: [asc(at("uuid"))], limit: 1 }),
      select({ other: text("z"), m: number(2) }, { limit: 1 }),
    ],
  },
  "named queries": select(
    {
      e: column("c", "event"),
      n: column("c", "n"),
      all: {
        kind: "scalarQuery",
        query: {
          columns: [{ as: "s", expr: aggregate("sum", column("d", "n")) }],
          from: { kind: "cte", name: "per", alias: "d" },
        },
      },
    },
    {
      ctes: [{ name: "per", query: perEvent }],
      from: { kind: "cte", name: "per", alias: "c" },
      orderBy: [asc(column("c", "event"))],
    },
  ),
  "a name for several things": select(
    { e: at("event"), event: id, uuid: text("x") },
    { where: eq(at("event"), text("view")), orderBy: [asc(at("uuid"))] },
  ),
  "persons of events": select(
    {
      id,
      person: personOfEvent,
      email: property({ table: "p", of: "person", key: "email" }),
      identified: column("p", "is_identified"),
      all: properties("p", "person"),
      none: isNull(column("p", "uuid")),
    },
    { ...eventsWithPersons(1), ...inOrder },
  ),
  ...JOIN_CASES,
}
