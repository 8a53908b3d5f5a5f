/** Queries with joins, windows and arrays. For tests. */
import {
  aggregate,
  and,
  asc,
  call,
  column,
  desc,
  eq,
  gt,
  gte,
  lt,
  number,
  table,
  text,
  timestamp,
  uuid,
} from "../../query/build.ts"
import type { Query } from "../../query/tree.ts"

import {
  at,
  id,
  inOrder,
  NULL,
  of,
  over,
  perEvent,
  plus,
  select,
  sub,
  windowCall,
  X,
} from "./query-parts.ts"

export const JOIN_CASES: Readonly<Record<string, Query>> = {
  "joins of every kind": {
    kind: "union",
    queries: (["left", "inner", "right", "full"] as const).map((kind) =>
      select(
        { kind: text(kind), a: column("a", "k"), b: column("b", "event") },
        {
          from: sub(select({ k: of("k"), event: at("event") }), "a"),
          joins: [
            {
              kind,
              source: sub(perEvent, "b"),
              on: and(
                eq(column("a", "event"), column("b", "event")),
                gt(column("b", "n"), number(1)),
              ),
            },
          ],
          orderBy: [asc(column("a", "k")), asc(column("b", "event"))],
        },
      ),
    ),
  },
  "joins without equal keys": {
    kind: "union",
    queries: (["left", "inner", "right", "full"] as const).map((kind) =>
      select(
        { kind: text(kind), a: column("a", "number"), b: column("b", "number") },
        {
          from: { kind: "numbers", start: 1, count: 3, alias: "a" },
          joins: [
            {
              kind,
              source: { kind: "numbers", start: 2, count: 3, alias: "b" },
              on: gt(column("a", "number"), column("b", "number")),
            },
          ],
          orderBy: [asc(column("a", "number")), asc(column("b", "number"))],
        },
      ),
    ),
  },
  "tables without equal keys": select(
    { n: aggregate("count"), m: aggregate("count", column("p", "uuid")) },
    {
      joins: [
        {
          kind: "left",
          source: table("persons", "p", 1),
          on: lt(column("p", "created_at"), at("timestamp")),
        },
      ],
    },
  ),
  crossed: select(
    { a: column("a", "number"), b: column("b", "number") },
    {
      from: { kind: "numbers", start: -1, count: 2, alias: "a" },
      joins: [{ kind: "cross", source: { kind: "numbers", start: 0, count: 2, alias: "b" } }],
      orderBy: [asc(column("a", "number")), asc(column("b", "number"))],
    },
  ),
  closest: {
    kind: "union",
    queries: (["<", "<=", ">", ">="] as const).flatMap((operator) =>
      (["closest", "leftClosest"] as const).map((kind) =>
        select(
          {
            operator: text(operator),
            kind: text(kind),
            id: call("plainText", at("uuid")),
            other: call("plainText", column("b", "uuid")),
          },
          {
            joins: [
              {
                kind,
                source: sub(
                  select({ uuid: at("uuid"), event: at("event"), time: at("timestamp") }),
                  "b",
                ),
                keys: [{ left: at("event"), right: column("b", "event") }],
                theirs: column("b", "time"),
                operator,
                ours: at("timestamp"),
              },
            ],
            orderBy: [asc(at("uuid"))],
          },
        ),
      ),
    ),
  },
  "closest without keys": select(
    { a: column("a", "number"), b: column("b", "number") },
    {
      from: { kind: "numbers", start: 1, count: 3, alias: "a" },
      joins: [
        {
          kind: "leftClosest",
          source: { kind: "numbers", start: 2, count: 1, alias: "b" },
          keys: [],
          theirs: column("b", "number"),
          operator: "<=",
          ours: column("a", "number"),
        },
      ],
      orderBy: [asc(column("a", "number"))],
    },
  ),
  "arrays as rows": {
    kind: "union",
    queries: (["arrays", "leftArrays"] as const).map((kind) =>
      select(
        { kind: text(kind), id, part: column("x", "part"), place: column("x", "place") },
        {
          joins: [
            {
              kind,
              alias: "x",
              items: [
                {
                  as: "part",
                  expr: call("split", call("coalesce", of("list"), text("")), text(",")),
                },
                { as: "place", expr: call("range", number(1), number(3), number(1)) },
              ],
            },
          ],
          orderBy: [asc(at("uuid")), asc(column("x", "place")), asc(column("x", "part"))],
        },
      ),
    ),
  },
  windows: select(
    {
      id,
      row: over(windowCall("row_number")),
      rank: over(windowCall("rank"), { orderBy: [asc(at("event"))] }),
      dense: over(windowCall("dense_rank"), { orderBy: [desc(at("event"))] }),
      before: over(windowCall("lag", of("n", "number"))),
      twoBefore: over(windowCall("lag", at("event"), number(2), text("none"))),
      after: over(windowCall("lead", at("timestamp"))),
      first: over(windowCall("first_value", of("k"))),
      last: over(windowCall("last_value", of("k"))),
      second: over(windowCall("nth_value", at("event"), number(2))),
      running: over(aggregate("sum", of("n", "number"))),
      count: over(aggregate("count"), { partitionBy: [at("event")] }),
      framed: over(aggregate("count", of("n", "number")), {
        frame: {
          unit: "rows",
          start: { kind: "preceding", count: 1 },
          end: { kind: "following", count: 1 },
        },
      }),
      ofEvent: over(windowCall("row_number"), {
        partitionBy: [at("event")],
        orderBy: [desc(at("timestamp")), asc(at("uuid"))],
      }),
    },
    inOrder,
  ),
  "so many of each": select(
    { e: at("event"), id },
    {
      orderBy: [asc(at("event")), desc(at("uuid"))],
      limitBy: { count: 1, offset: 1, by: [at("event")] },
      limit: 5,
    },
  ),
  distinct: select({ e: at("event") }, { distinct: true, orderBy: [asc(at("event"))] }),
  "tuples and lambdas": select(
    {
      id,
      second: {
        kind: "tupleItem",
        tuple: { kind: "tuple", items: [at("event"), of("n", "number")] },
        index: 2,
      },
      mapped: call(
        "arrayMap",
        {
          kind: "lambda",
          parameters: ["x"],
          body: plus(X, call("coalesce", of("n", "number"), number(0))),
        },
        { kind: "array", items: [number(1), number(2.5)] },
      ),
      texts: { kind: "array", items: [at("event"), of("k"), NULL] },
    },
    inOrder,
  ),
  "without a source": {
    columns: [
      { as: "one", expr: number(1) },
      { as: "at", expr: timestamp("2026-01-02 03:04:05.5") },
      { as: "u", expr: uuid("00000000-0000-4000-8000-000000000007") },
      { as: "day", expr: { kind: "value", value: { type: "date", value: "2026-01-02" } } },
    ],
  },
  "order of all sorts": select(
    { id, n: of("n", "number") },
    {
      orderBy: [
        { expr: of("n", "number"), direction: "desc", nulls: "first" },
        desc(gte(of("n", "number"), number(2))),
        asc(at("uuid")),
      ],
    },
  ),
  "strange texts": select(
    {
      id,
      back: text("'\\ \"{p1:String}\u0000\n\t🦔%_"),
      same: eq(of("odd"), text("'\\ \"{p1:String}\u0000\n\t🦔%_")),
    },
    inOrder,
  ),
}
