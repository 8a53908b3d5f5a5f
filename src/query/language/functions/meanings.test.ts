import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { printSelect } from "../../../columnar/duckdb/printer.ts"
import { boundValue, plainValue } from "../../../columnar/duckdb/values.ts"
import { compileQuery } from "../compile.ts"

let instance: DuckDBInstance

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:", { threads: "1" })
})

afterAll(() => {
  instance.closeSync()
})

interface Asked {
  readonly text: string
  readonly timezone?: string
}

/** The first row. */
async function answer({ text, timezone = "UTC" }: Asked): Promise<readonly unknown[]> {
  const now = new Date("2026-11-16T12:00:00.123Z")
  const { query } = compileQuery(text, { project_id: 1, timezone, weekStartsOn: 0, now })
  const { sql, params } = printSelect(query, {
    find: () => [],
    list: () => [],
    isComplete: () => false,
  })
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(sql, params.map(boundValue))
    return (reader.getRows()[0] ?? []).map(plainValue)
  } finally {
    connection.closeSync()
  }
}

type Case = readonly [text: string, expected: readonly unknown[]]

const cases = (list: readonly Case[]) =>
  test.each(list)("%s", async (text, expected) => {
    expect(await answer({ text: `SELECT ${text}` })).toEqual(expected)
  })

describe("numbers", () => {
  cases([
    ["2000000000 + 2000000000", [4_000_000_000]],
    ["1 / 0, intDiv(1, 0), 5 % 0, ln(-1), sqrt(-1), pow(-8, 0.3), exp(1000)", Array(7).fill(null)],
    ["acos(5), factorial(25), bitShiftLeft(1, 63), acosh(0)", [null, null, null, null]],
    ["round(-2.5), round(1234.5, -2), roundBankers(3.5), trunc(-1.99)", [-3, 1200, 4, -1]],
    ["toInt('1.5'), toInt(1.9), toInt(-1.9), toInt(true), toInt(' 5')", [null, 1, -1, 1, null]],
    ["toInt('99999999999999999999'), toFloat('nan'), toInt(1e300)", [null, null, null]],
    ["toFloat('1e3'), toFloat('x'), toDecimal('2.345', 2)", [1000, null, 2.35]],
    ["width_bucket(-1, 0, 10, 5), width_bucket(10, 0, 10, 5)", [0, 6]],
  ])
})

describe("texts", () => {
  cases([
    [
      "toString(1.0), toString(0.1 + 0.2), toString(true), toString((1, 'a'))",
      ["1", "0.30000000000000004", "true", '[1,"a"]'],
    ],
    [
      "substring('hello', 0, 2), substring('hello', -3, 2), substring('hello', 2)",
      ["", "ll", "ello"],
    ],
    [
      "substring('hello', -10, 3), substring('hello', 4, 1e12), substring('hello', 2, -1)",
      ["hel", "lo", ""],
    ],
    [
      "leftPad('abc', 5, ''), leftPad('abc', -1), leftPad('abc', 2), rightPad('é', 3, 'ü')",
      [null, "", "ab", "éüü"],
    ],
    ["concat('a', null), format('{} {}', 'a', 1), length('👨‍👩‍👧')", [null, "a 1", 5]],
    [
      "like('a%b', 'a\\\\%b'), like('axb', 'a\\\\%b'), like('a', 'a\\\\'), ilike('ÄB', 'äb')",
      [1, 0, 0, 1],
    ],
    ["base64Decode('!!'), decodeURLComponent('%zz%20'), ascii('')", [null, "%zz ", 0]],
    ["splitByString('', 'äb'), splitByChar(',', '')", [["ä", "b"], [""]]],
  ])
})

describe("patterns that are none make null, written or computed", () => {
  cases([
    [
      "extract('abc', '['), replaceRegexpAll('abc', '[', 'x'), countMatches('a', '(')",
      [null, null, null],
    ],
    ["match('abc', concat('[', '')), replaceRegexpAll('abc', concat('[', ''), 'y')", [0, null]],
    ["match('abc', concat('b', ''))", [1]],
  ])
})

describe("arrays and maps", () => {
  cases([
    ["[1, 2, 3][-1], arrayElement([1], 9), arraySlice([1, 2, 3], -2)", [3, null, [2, 3]]],
    ["has([1, null], null), indexOf(['a', null], null), arrayDistinct([1, null, 1])", [1, 2, [1]]],
    ["arraySum([1, null]), arrayAvg([null]), arrayMin(['b', 'a'])", [1, null, "a"]],
    ["arrayMap((x, y) -> x + y, [1, 2, 3], [10, 20])", [[11, 22]]],
    ["arrayFilter((x, y) -> y > 1, ['a', 'b'], [1, 2])", [["b"]]],
    [
      "arrayMap(x -> arrayMap(y -> x * y, [1, 2]), [3, 4])",
      [
        [
          [3, 6],
          [4, 8],
        ],
      ],
    ],
    [
      "map('a', 1, 'a', 2), map('a', 1)['a'], map('a', 1)['z'], length(map('a', 1))",
      [{ a: 2 }, 1, null, 1],
    ],
  ])
})

describe("JSON", () => {
  cases([
    ["JSONExtractString('nope', 'a'), JSONHas('nope', 'a'), JSONLength('5')", [null, 0, null]],
    ["JSONExtractRaw('{\"a\":[1,{\"b\":2}]}', 'a', -1, 'b')", ["2"]],
    ["JSONExtractInt('{\"a\":\"5\"}', 'a'), JSONExtractInt('{\"a\":1.5}', 'a')", [null, null]],
    ["JSONExtractString('{\"a/b~c\":\"v\"}', 'a/b~c'), JSONType('null')", ["v", "null"]],
  ])
})

describe("aggregates", () => {
  test("count nothing as 0 and are null or empty otherwise", async () => {
    const text =
      "SELECT sum(number), uniq(number), count(), groupArray(number), quantile(0.9)(number) FROM numbers(5) WHERE number > 9"
    expect(await answer({ text })).toEqual([null, 0, 0, [], null])
  })

  test("are exact, and take conditions", async () => {
    const text =
      "SELECT quantiles(0.25, 0.75)(number), uniq(number, number % 2), sumIf(number, number > 2), countIf(number > 2), simpleLinearRegression(number, number * 2) FROM numbers(5)"
    expect(await answer({ text })).toEqual([[1, 3], 5, 7, 2, [2, 0]])
  })

  test("stand inside functions that need their argument more than once", async () => {
    const text =
      "SELECT ln(sum(number) - 2), round(avg(number), 1), match(any(toString(number)), concat('0', '')) FROM numbers(3)"
    expect(await answer({ text })).toEqual([0, 1, 1])
  })
})

describe("dates", () => {
  test.each<readonly [zone: string, text: string, expected: readonly unknown[]]>([
    ["Europe/Paris", "toStartOfDay(toDateTime('2026-03-29 12:00:00'))", ["2026-03-28T23:00:00Z"]],
    [
      "Europe/Paris",
      "toStartOfHour(toDateTime('2026-10-25T00:30:00Z')), toStartOfHour(toDateTime('2026-10-25T01:30:00Z'))",
      ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"],
    ],
    [
      "Asia/Kolkata",
      "toStartOfHour(toDateTime('2026-10-25T00:40:00Z')), dateDiff('hour', toDateTime('2026-10-25T00:20:00Z'), toDateTime('2026-10-25T00:40:00Z'))",
      ["2026-10-25T00:30:00Z", 1],
    ],
    [
      "America/New_York",
      "formatDateTime(toDateTime('2026-07-01T12:00:00Z'), '%F %T %z %W %e|%Q'), toString(toDateTime('2026-07-01T12:00:00Z'))",
      ["2026-07-01 08:00:00 -0400 Wednesday  1|3", "2026-07-01 08:00:00"],
    ],
    [
      "America/New_York",
      "addDays(toDateTime('2026-03-07 12:00:00'), 1), addHours(toDateTime('2026-03-07 12:00:00'), 24)",
      ["2026-03-08T16:00:00Z", "2026-03-08T17:00:00Z"],
    ],
    [
      "UTC",
      "toStartOfWeek(toDate('2026-03-07')), toStartOfWeek(toDate('2026-03-07'), 1)",
      ["2026-03-01", "2026-03-02"],
    ],
    [
      "UTC",
      "dateDiff('week', toDate('2026-07-05'), toDate('2026-07-06')), age('year', toDate('2000-02-29'), toDate('2001-02-28'))",
      [1, 1],
    ],
    [
      "UTC",
      "age('day', toDateTime('2026-01-01 12:00:00'), toDateTime('2026-01-03 11:00:00'))",
      [1],
    ],
    [
      "UTC",
      "toWeek(toDate('2026-01-01'), 0), toWeek(toDate('2026-01-01'), 1), toWeek(toDate('2026-01-01'), 2), toWeek(toDate('2026-01-01'), 3)",
      [0, 1, 52, 1],
    ],
    [
      "UTC",
      "toDateTime('garbage'), toDate('2026-13-45'), parseDateTime('x', '%Y')",
      [null, null, null],
    ],
    [
      "UTC",
      "fromUnixTimestamp(1e18), addYears(now(), 100000), addDays(now(), 1e12)",
      [null, null, null],
    ],
    [
      "Asia/Tokyo",
      "now(), today(), yesterday()",
      ["2026-11-16T12:00:00.123000Z", "2026-11-16", "2026-11-15"],
    ],
  ])("in %s %s", async (timezone, text, expected) => {
    expect(await answer({ text: `SELECT ${text}`, timezone })).toEqual(expected)
  })
})

describe("what would grow without bound", () => {
  test.each([
    ["repeat('a', 1000000)", "100000 characters"],
    ["leftPad('a', 1000000)", "100000 characters"],
    ["range(1000000)", "10000 numbers"],
    ["arrayResize([1], 1000000)", "10000 items"],
    ["quantile(2)(1)", "from 0 to 1"],
    ["toTimeZone(now(), 'Nowhere/Land')", "no time zone"],
    ["formatDateTime(now(), concat('%', 'Y'))", "constant"],
    ["dateAdd('fortnight', 1, now())", "must be a constant text"],
    ["arrayMap([1], [2])", "lambda"],
  ])("and what can not be meant is refused: %s", async (text, reason) => {
    await expect(answer({ text: `SELECT ${text}` })).rejects.toThrow(reason)
  })

  test("is cut where it is computed", async () => {
    const text =
      "SELECT length(repeat(x, y)), length(range(y)), length(leftPad(x, y)), length(arrayResize([1], y)) FROM (SELECT 'abc' AS x, 500000 + 500000 AS y)"
    expect(await answer({ text })).toEqual([99_999, 10_000, 100_000, 10_000])
  })
})
