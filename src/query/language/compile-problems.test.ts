import { describe, expect, test } from "vitest"
import { checkQuery, type LanguageContext } from "./compile.ts"
import type { ProblemCode } from "./problems.ts"

const CONTEXT: LanguageContext = {
  project_id: 1,
  timezone: "UTC",
  weekStartsOn: 1,
  now: new Date("2026-01-01T00:00:00Z"),
}

const problemsOf = (text: string) => checkQuery(text, CONTEXT).problems

describe("a mistake is told with its code, in words, at its place", () => {
  test.each<[text: string, code: ProblemCode, message: string, at: string]>([
    ["select nope from events", "unresolved_field", "Unable to resolve field: nope", "nope"],
    [
      "select e.nope from events e",
      "unresolved_field",
      "Unable to resolve field: e.nope",
      "e.nope",
    ],
    ["select person from events", "unresolved_field", '"person" is a row, not a value.', "person"],
    ["select a + 1 as b, b as a", "unresolved_field", 'The alias "b" is explained by itself.', "b"],
    [
      "select event from events a, events b",
      "unresolved_field",
      'Several tables have a field "event".',
      "event",
    ],
    [
      "select 1 from events a join persons a on 1",
      "unresolved_field",
      'Two sources are called "a".',
      "persons a",
    ],
    ["select count() over w from events", "unresolved_field", 'There is no window "w".', "count()"],
    ["select 1 order by 2", "unresolved_field", "There is no column 2: the query has 1.", "2"],
    [
      "select team_id from events",
      "unresolved_field",
      "Unable to resolve field: team_id",
      "team_id",
    ],
    ["select 1 from nothere", "unknown_table", 'Unknown table "nothere".', "nothere"],
    [
      "select 1 from system.tables",
      "unknown_table",
      'Unknown table "system.tables".',
      "system.tables",
    ],
    [
      "select 1 from session_replay_events",
      "unknown_table",
      'Unknown table "session_replay_events".',
      "session_replay_events",
    ],
    ["select x.* from events", "unknown_table", 'Unknown table "x".', "x.*"],
    ["select noway()", "unknown_function", "Unsupported function call 'noway(...)'.", "noway"],
    [
      "select hamburger(event) from events",
      "unknown_function",
      "Unsupported function call 'hamburger(...)'.",
      "hamburger",
    ],
    ["select toString()", "wrong_arguments", "Function 'toString' expects", "toString()"],
    [
      "select count(1, 2, 3, 4) from events",
      "wrong_arguments",
      "Aggregation 'count' expects at most 1 argument, found 4",
      "count(1, 2, 3, 4)",
    ],
    [
      "select lower('a', 'b')",
      "wrong_arguments",
      "Function 'lower' expects 1 argument, found 2",
      "lower('a', 'b')",
    ],
    [
      "select quantile(0.1, 0.2)(1) from events",
      "wrong_arguments",
      "Aggregation 'quantile' expects 1 parameter, found 2",
      "quantile",
    ],
    ["select row_number()", "wrong_arguments", "'row_number' needs a window.", "row_number()"],
    [
      "select lower('a') over ()",
      "wrong_arguments",
      "'lower' is computed from one row and takes no window.",
      "lower",
    ],
    [
      "select 1 in (select 1, 2)",
      "wrong_arguments",
      "The query after IN has 2 columns, but 1 must be compared.",
      "1 in",
    ],
    [
      "select (select 1, 2)",
      "wrong_arguments",
      "A query that stands for one value must have one column, not 2.",
      "(select",
    ],
    [
      "select 1 union all select 1, 2",
      "wrong_arguments",
      "The queries of a UNION ALL have 1 and 2 columns",
      "select 1, 2",
    ],
    [
      "select 1 from events limit -1",
      "wrong_arguments",
      "A LIMIT or OFFSET is a whole number",
      "-1",
    ],
    ["select 1 from numbers('x')", "wrong_arguments", "numbers takes a count", "numbers"],
    [
      "select person_id in cohort 'x' from events",
      "wrong_arguments",
      "There is no cohort 'x'.",
      "'x'",
    ],
    [
      "select timestamp + 'string' from events",
      "illegal_type_of_argument",
      '"+" cannot take a value of type moment and one of type text.',
      "timestamp + 'string'",
    ],
    [
      "select timestamp > 'soon' from events",
      "illegal_type_of_argument",
      "'soon' is no moment",
      "timestamp",
    ],
    [
      "select person_id = 'me' from events",
      "illegal_type_of_argument",
      "'me' is no uuid",
      "person_id",
    ],
    [
      "select [1] = 1",
      "illegal_type_of_argument",
      "A value of type array of integer cannot be compared with one of type integer.",
      "[1]",
    ],
    [
      "select 1 from events where event",
      "illegal_type_of_argument",
      "A condition must be true or false, not a value of type text.",
      "event",
    ],
    ["select sum(event) from events", "illegal_type_of_argument", "Argument 1 of 'sum'", "event"],
    [
      "select case when 1 = 1 then 'a' else 1 end",
      "illegal_type_of_argument",
      "The branches of CASE have different types",
      "case",
    ],
    [
      "select t.3 from (select (1, 2) as t)",
      "illegal_type_of_argument",
      "The tuple has the items 1 to 2",
      "t.3",
    ],
    [
      "select event in cohort 1 from events",
      "illegal_type_of_argument",
      "Only ids of persons can be in a cohort.",
      "event",
    ],
    [
      "select event.x from events",
      "illegal_type_of_argument",
      "A value of type text has nothing inside that has a name.",
      "event.x",
    ],
    [
      "select event, count() from events",
      "illegal_aggregation",
      'The field "event" is neither aggregated nor in GROUP BY.',
      "event",
    ],
    [
      "select event, properties.a from events group by event",
      "illegal_aggregation",
      'The field "properties.a"',
      "properties.a",
    ],
    [
      "select event from events where count() > 1",
      "illegal_aggregation",
      "An aggregation cannot stand in WHERE.",
      "count() > 1",
    ],
    [
      "select event from events where row_number() over () > 1",
      "illegal_aggregation",
      "A window function cannot stand in WHERE.",
      "row_number",
    ],
    [
      "select count() as c from events group by c",
      "illegal_aggregation",
      "An aggregation cannot stand in GROUP BY.",
      "c",
    ],
    [
      "select avg(avg(1)) from events",
      "illegal_aggregation",
      "Aggregation 'avg' cannot be nested inside another aggregation 'avg'.",
      "avg(1)",
    ],
    ["select 1 from events sample 0.1", "unsupported", "SAMPLE is not supported", "events sample"],
    [
      "select 1 from events limit 1 with ties",
      "unsupported",
      "LIMIT ... WITH TIES is not supported.",
      "limit",
    ],
    ["select 1::Point", "unsupported", 'Nothing can be cast to "Point".', "Point"],
    ["select x -> 1", "unsupported", "A lambda can only be an argument", "x -> 1"],
    [
      "select 1 from persons where {filters}",
      "unsupported",
      "The placeholder {filters}",
      "{filters}",
    ],
    ["select *", "unsupported", "* needs a FROM", "*"],
  ])("%s", (text, code, message, at) => {
    const [problem, ...others] = problemsOf(text)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code, message: expect.stringContaining(message) })
    const { start, end } = problem?.span ?? { start: -1, end: -1 }
    expect(text.slice(start, end).startsWith(at)).toBe(true)
  })

  test.each([
    ["select evnt from events", 'Perhaps you meant "event"?'],
    ["select person.crated_at from events", 'Perhaps you meant "created_at"?'],
    ["select 1 from evens", 'Perhaps you meant "events"?'],
    ["select tostring(1)", "Perhaps you meant 'toString(...)'?"],
    ["select noway()", "Perhaps you meant 'now(...)'?"],
  ])("%s comes with what was meant", (text, suggestion) => {
    expect(problemsOf(text)).toMatchObject([{ suggestion }])
  })

  test("all mistakes are told at once, in the order of the text", () => {
    const problems = problemsOf("select nope, nada(1), sum(avg(1)) from events where count() > 1")
    expect(problems.map(({ code }) => code)).toEqual([
      "unresolved_field",
      "unknown_function",
      "illegal_aggregation",
      "illegal_aggregation",
    ])
  })

  test("what the parser finds is not found again", () => {
    expect(problemsOf("select [1, 2][0]")).toHaveLength(1)
  })

  test("what is wrong with a table is not told again for each of its fields", () => {
    expect(problemsOf("select a, b.c, count() from nothere b where a = 1")).toHaveLength(1)
  })
})
