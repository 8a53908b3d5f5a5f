/** Questions as users ask them, each beside the best SQL that we would write by hand for it. */
import type { JsonObject } from "../src/lib/json.ts"
import { PROJECT_ID } from "./insight-data.ts"

/** How the physical column of a property is called. */
export type ColumnOf = (key: string) => string

export interface BenchQuestion {
  readonly what: string
  readonly asked: JsonObject
  readonly byHand: (column: ColumnOf) => string
}

const EVENTS = "events e"
const MINE = `e.project_id = ${PROJECT_ID}`
const FROM = "2026-10-01"
const RANGE = `e.timestamp >= TIMESTAMP '${FROM}' AND e.timestamp < TIMESTAMP '2026-11-01'`
const dateRange = { date_from: FROM, date_to: "2026-10-31" }
const pageview = { kind: "EventsNode", event: "$pageview" }
const FUNNEL = ["$pageview", "signed up", "first bed planted"]
const WINDOW = "INTERVAL 14 DAY"

export const INSIGHT_QUESTIONS: readonly BenchQuestion[] = [
  {
    what: "trends: pageviews by day",
    asked: { kind: "TrendsQuery", series: [pageview], dateRange, interval: "day" },
    byHand: () => `SELECT date_trunc('day', e.timestamp) AS d, count(*) FROM ${EVENTS}
      WHERE ${MINE} AND e.event = '$pageview' AND ${RANGE} GROUP BY d`,
  },
  {
    what: "trends: unique persons by day",
    asked: {
      kind: "TrendsQuery",
      series: [{ ...pageview, math: "dau" }],
      dateRange,
      interval: "day",
    },
    byHand:
      () => `SELECT date_trunc('day', e.timestamp) AS d, count(DISTINCT coalesce(o.person_id, e.person_id))
      FROM ${EVENTS} LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
      WHERE ${MINE} AND e.event = '$pageview' AND ${RANGE} GROUP BY d`,
  },
  {
    what: "trends: by browser",
    asked: {
      kind: "TrendsQuery",
      series: [pageview],
      dateRange,
      interval: "day",
      breakdownFilter: { breakdown: "$browser", breakdown_type: "event" },
    },
    byHand: (
      column,
    ) => `SELECT date_trunc('day', e.timestamp) AS d, ${column("$browser")} AS b, count(*)
      FROM ${EVENTS} WHERE ${MINE} AND e.event = '$pageview' AND ${RANGE} GROUP BY ALL`,
  },
  {
    what: "funnel of three steps",
    asked: {
      kind: "FunnelsQuery",
      series: FUNNEL.map((event) => ({ kind: "EventsNode", event })),
      dateRange,
      funnelsFilter: { funnelWindowInterval: 14, funnelWindowIntervalUnit: "day" },
    },
    byHand: () => `WITH s AS MATERIALIZED (
        SELECT coalesce(o.person_id, e.person_id) AS p, e.timestamp AS t, e.event AS ev FROM ${EVENTS}
        LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
        WHERE ${MINE} AND e.event IN (${FUNNEL.map((event) => `'${event}'`).join(", ")}) AND ${RANGE}),
      s1 AS (SELECT p, t FROM s WHERE ev = '${FUNNEL[0]}'),
      s2 AS (SELECT b.p, b.t, a.t AS start FROM (SELECT p, t FROM s WHERE ev = '${FUNNEL[1]}') b
        ASOF JOIN s1 a ON a.p = b.p AND b.t >= a.t WHERE b.t <= a.t + ${WINDOW}),
      s3 AS (SELECT c.p, c.t, b.start FROM (SELECT p, t FROM s WHERE ev = '${FUNNEL[2]}') c
        ASOF JOIN s2 b ON b.p = c.p AND c.t >= b.t WHERE c.t <= b.start + ${WINDOW})
      SELECT (SELECT count(DISTINCT p) FROM s1), (SELECT count(DISTINCT p) FROM s2),
        (SELECT count(DISTINCT p) FROM s3)`,
  },
  {
    what: "retention by week",
    asked: {
      kind: "RetentionQuery",
      dateRange: { date_to: "2026-10-31" },
      retentionFilter: {
        period: "Week",
        totalIntervals: 11,
        targetEntity: { id: "$pageview", type: "events" },
      },
    },
    byHand: () => `WITH a AS MATERIALIZED (
        SELECT DISTINCT coalesce(o.person_id, e.person_id) AS p,
          date_diff('day', TIMESTAMP '2026-08-16', e.timestamp) // 7 AS w FROM ${EVENTS}
        LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
        WHERE ${MINE} AND e.event = '$pageview' AND e.timestamp >= TIMESTAMP '2026-08-16'
          AND e.timestamp < TIMESTAMP '2026-11-01')
      SELECT a.w, b.w - a.w AS k, count(*) FROM a JOIN a b ON a.p = b.p AND b.w >= a.w GROUP BY ALL`,
  },
  {
    what: "lifecycle by day",
    asked: { kind: "LifecycleQuery", series: [pageview], dateRange, interval: "day" },
    byHand: () => `WITH a AS (
        SELECT DISTINCT coalesce(o.person_id, e.person_id) AS p, date_trunc('day', e.timestamp) AS d FROM ${EVENTS}
        LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
        WHERE ${MINE} AND e.event = '$pageview' AND e.timestamp >= TIMESTAMP '2026-09-30'
          AND e.timestamp < TIMESTAMP '2026-11-01'),
      n AS (SELECT p, d, lag(d) OVER w AS before, lead(d) OVER w AS after FROM a WINDOW w AS (PARTITION BY p ORDER BY d)),
      m AS (SELECT n.*, date_trunc('day', q.created_at) AS c FROM n LEFT JOIN persons q ON q.project_id = ${PROJECT_ID} AND q.uuid = n.p)
      SELECT d, CASE WHEN before IS NULL AND c = d THEN 'new' WHEN before = d - INTERVAL 1 DAY THEN 'returning'
        ELSE 'resurrecting' END AS s, count(*) FROM m GROUP BY ALL
      UNION ALL SELECT d + INTERVAL 1 DAY, 'dormant', count(*) FROM m
        WHERE after IS NULL OR after <> d + INTERVAL 1 DAY GROUP BY ALL`,
  },
  {
    what: "stickiness by day",
    asked: { kind: "StickinessQuery", series: [pageview], dateRange, interval: "day" },
    byHand: () => `SELECT n, count(*) FROM (
        SELECT coalesce(o.person_id, e.person_id) AS p, count(DISTINCT date_trunc('day', e.timestamp)) AS n FROM ${EVENTS}
        LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
        WHERE ${MINE} AND e.event = '$pageview' AND ${RANGE} GROUP BY p) GROUP BY n`,
  },
  {
    what: "paths of pageviews, a week",
    asked: {
      kind: "PathsQuery",
      dateRange: { date_from: "2026-10-25", date_to: "2026-10-31" },
      pathsFilter: { includeEventTypes: ["$pageview"] },
    },
    byHand: (column) => `WITH e1 AS (
        SELECT coalesce(o.person_id, e.person_id) AS p, e.timestamp AS t, e.uuid AS u,
          regexp_replace(${column("$current_url")}, '(.)/$', '\\1') AS i FROM ${EVENTS}
        LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
        WHERE ${MINE} AND e.event = '$pageview' AND e.timestamp >= TIMESTAMP '2026-10-25'
          AND e.timestamp < TIMESTAMP '2026-11-01'),
      g AS (SELECT *, lag(t) OVER w AS bt, lag(i) OVER w AS bi FROM e1 WINDOW w AS (PARTITION BY p ORDER BY t, u)),
      k AS (SELECT *, sum(CASE WHEN bt IS NULL OR t - bt >= INTERVAL 30 MINUTE THEN 1 ELSE 0 END)
          OVER (PARTITION BY p ORDER BY t, u) AS s FROM g),
      f AS (SELECT *, row_number() OVER (PARTITION BY p, s ORDER BY t, u) AS n FROM k
          WHERE bi IS DISTINCT FROM i OR bt IS NULL OR t - bt >= INTERVAL 30 MINUTE),
      x AS (SELECT n, i, t, lead(i) OVER (PARTITION BY p, s ORDER BY n) AS ni,
          lead(t) OVER (PARTITION BY p, s ORDER BY n) AS nt FROM f WHERE n <= 5)
      SELECT n, i, ni, count(*) AS c, avg(epoch(nt) - epoch(t)) FROM x WHERE ni IS NOT NULL
      GROUP BY n, i, ni ORDER BY c DESC LIMIT 50`,
  },
]

const language = (query: string): JsonObject => ({ kind: "HogQLQuery", query })
const IN_RANGE = "timestamp >= '2026-10-01' and timestamp < '2026-11-01'"

export const LANGUAGE_QUESTIONS: readonly BenchQuestion[] = [
  {
    what: "language: count of all events",
    asked: language("select count() from events"),
    byHand: () => `SELECT count(*) FROM ${EVENTS} WHERE ${MINE}`,
  },
  {
    what: "language: top events",
    asked: language(
      "select event, count() as c from events group by event order by c desc limit 10",
    ),
    byHand: () =>
      `SELECT e.event, count(*) AS c FROM ${EVENTS} WHERE ${MINE} GROUP BY e.event ORDER BY c DESC LIMIT 10`,
  },
  {
    what: "language: group by a property",
    asked: language("select properties.$browser as b, count() from events group by b order by b"),
    byHand: (column) =>
      `SELECT ${column("$browser")} AS b, count(*) FROM ${EVENTS} WHERE ${MINE} GROUP BY b ORDER BY b`,
  },
  {
    what: "language: persons by day",
    asked: language(
      `select toStartOfDay(timestamp) as d, uniq(person_id) from events where event = '$pageview' and ${IN_RANGE} group by d order by d`,
    ),
    byHand:
      () => `SELECT date_trunc('day', e.timestamp) AS d, count(DISTINCT coalesce(o.person_id, e.person_id))
      FROM ${EVENTS} LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
      WHERE ${MINE} AND e.event = '$pageview' AND ${RANGE} GROUP BY d ORDER BY d`,
  },
  {
    what: "language: sum of a number",
    asked: language("select sum(properties.$screen_width) from events where event = '$pageview'"),
    byHand: (column) =>
      `SELECT sum(${column("$screen_width")}) FROM ${EVENTS} WHERE ${MINE} AND e.event = '$pageview'`,
  },
  {
    what: "language: newest events",
    asked: language(
      "select event, distinct_id, timestamp from events order by timestamp desc limit 100",
    ),
    byHand: () =>
      `SELECT e.event, e.distinct_id, e.timestamp FROM ${EVENTS} WHERE ${MINE} ORDER BY e.timestamp DESC LIMIT 100`,
  },
  {
    what: "language: figures with conditions",
    asked: language(
      `select countIf(event = '$pageview'), countIf(event = 'signed up'), uniqIf(distinct_id, event = '$autocapture') from events where ${IN_RANGE}`,
    ),
    byHand:
      () => `SELECT count(*) FILTER (e.event = '$pageview'), count(*) FILTER (e.event = 'signed up'),
      count(DISTINCT e.distinct_id) FILTER (e.event = '$autocapture') FROM ${EVENTS} WHERE ${MINE} AND ${RANGE}`,
  },
  {
    what: "language: by a property of the person",
    asked: language(
      `select person.properties.plan as p, count() from events where event = 'signed up' group by p order by p`,
    ),
    byHand: () => `SELECT json_extract_string(q.properties, '/plan') AS p, count(*) FROM ${EVENTS}
      LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
      LEFT JOIN persons q ON q.project_id = ${PROJECT_ID} AND q.uuid = coalesce(o.person_id, e.person_id)
      WHERE ${MINE} AND e.event = 'signed up' GROUP BY p ORDER BY p`,
  },
  {
    what: "language: persons with many events",
    asked: language(
      `select person_id, count() as c from events where ${IN_RANGE} group by person_id having c > 50 order by c desc limit 20`,
    ),
    byHand: () => `SELECT coalesce(o.person_id, e.person_id) AS p, count(*) AS c FROM ${EVENTS}
      LEFT JOIN overrides o ON o.project_id = ${PROJECT_ID} AND o.old_person_id = e.person_id
      WHERE ${MINE} AND ${RANGE} GROUP BY p HAVING count(*) > 50 ORDER BY c DESC LIMIT 20`,
  },
  {
    what: "language: a search in addresses",
    asked: language(
      "select count() from events where properties.$current_url ilike '%pricing%' and event = '$pageview'",
    ),
    byHand: (column) =>
      `SELECT count(*) FROM ${EVENTS} WHERE ${MINE} AND ${column("$current_url")} ILIKE '%pricing%' AND e.event = '$pageview'`,
  },
]
