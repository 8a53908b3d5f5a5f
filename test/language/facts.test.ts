/** What the language is said to answer, asked of a real engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type LanguageStore, openPeople, type Settings } from "../support/language.ts"

let people: LanguageStore

const rowsOf = (query: string, settings: Settings = {}) => people.rowsOf(query, settings)

beforeAll(async () => {
  people = await openPeople()
}, 60_000)

afterAll(() => people[Symbol.asyncDispose]())

describe("comparisons are 0 or 1, also with null", () => {
  test.each([
    ["null = 1, null != 1, null < 1, null <= 1, null > 1, null >= 1", [0, 1, 0, 0, 0, 0]],
    ["null = null, null != null, null < null, null >= null", [1, 0, 0, 0]],
    ["null like 'a', null ilike 'a', null =~ 'a', null =~* 'a'", [0, 0, 0, 0]],
    ["null not like 'a', null not ilike 'a', null !~ 'a', null !~* 'a'", [1, 1, 1, 1]],
    ["null like null, null =~ null, null not like null, null !~ null", [1, 1, 0, 0]],
    ["'kala' =~ 'A', 'kala' =~* 'A', 'kala' !~ 'A'", [0, 1, 1]],
    ["1 in (1, null), null in (1, null), 2 not in (1, null)", [1, 0, 1]],
    ["equals(null, null), notEquals(null, 1), isNull(null), isNotNull(1)", [1, 1, 1, 1]],
    ["not (null = 1), (null = 1) or 1 = 1, and(1 = 1, null = 1)", [1, 1, 0]],
  ])("select %s", async (columns, expected) => {
    expect(await rowsOf(`select ${columns}`)).toEqual([expected])
  })

  test.each([
    ["properties.nope = 'x', properties.nope != 'x', properties.nope < 'x'", [0, 1, 0]],
    ["properties.nope = properties.nada, properties.nope != properties.nada", [1, 0]],
    ["properties.nope = properties.key, properties.nope != properties.key", [0, 1]],
    ["properties.nope like 'a', properties.nope not like 'a'", [0, 1]],
    ["properties.nope in ('a'), properties.nope not in ('a')", [0, 1]],
    ["properties.nope > 5, properties.nope between 1 and 2", [0, 0]],
    ["not properties.nope > 5, properties.nope not between 1 and 2", [1, 1]],
  ])("select %s", async (columns, expected) => {
    expect(await rowsOf(`select ${columns} from events limit 1`)).toEqual([expected])
  })

  test("conditions in WHERE keep the same meaning", async () => {
    const names = async (condition: string) =>
      (await rowsOf(`select event from events where ${condition} order by timestamp`)).flat()
    expect(await names("properties.price != 5")).toEqual(["$pageview", "sign out"])
    expect(await names("not properties.price = 5")).toEqual(["$pageview", "sign out"])
    expect(await names("properties.price = properties.nope")).toEqual(["sign out"])
    expect(await names("properties.price not in (5)")).toEqual(["$pageview", "sign out"])
    expect(await names("properties.flag")).toEqual(["sign up"])
    expect(await names("1")).toEqual(["sign up", "$pageview", "sign out"])
  })
})

describe("operators", () => {
  test.each([
    ["null ?? 1", 1],
    ["1 + null ?? 2 + 3", 5],
    ["10 ?? true ? 20 : 30", 20],
    ["10 ?? 5 + 10", 10],
    ["arrayMap(x -> x * 2, [1, 2, 3])", [2, 4, 6]],
    ["[10, 11, 12][1]", 10],
    ["(1, 'a').2", "a"],
    ["tuple(1, 'a').1", 1],
    ["7 / 2", 3.5],
    ["7 % 4", 3],
    ["1 / 0", null],
    ["-(3)", -3],
    ["'a' || 'b'", "ab"],
    ["case when 1 > 2 then 'x' when 2 > 1 then 'y' else 'z' end", "y"],
    ["case 3 when 1 then 'x' end", null],
    ["cast('12' as Int)", 12],
    ["'12'::Float", 12],
    ["2 between 1 and 3", 1],
    ["toDate('2020-01-31') + 1", "2020-02-01"],
    ["toDateTime('2020-01-31 10:00:00') + interval 1 month", "2020-02-29T10:00:00Z"],
    ["(1, 2) in ((1, 2), (3, 4))", 1],
    ["3 in [1, 2]", 0],
    ["if(1 = 1, 'yes', 'no')", "yes"],
    ["0x10 + 1", 17],
    ["toStartOfDay(null)", null],
    ["addDays(null, 1)", null],
    ["arrayCumSum(null)", null],
    ["coalesce(null, 2)", 2],
    ["if(1 = 2, null, 'x')", "x"],
    ["[null, 1][2]", 1],
  ])("%s is %j", async (expression, expected) => {
    expect(await rowsOf(`select ${expression}`)).toEqual([[expected]])
  })
})

describe("properties", () => {
  test("are text; missing and null are null; the empty text stays", async () => {
    const rows = await rowsOf(
      `select properties.empty_string, properties.null, properties.undefined, properties.str_zero,
       properties.num_zero from events where event = 'sign out'`,
    )
    expect(rows).toEqual([["", null, null, "0", "0"]])
  })

  test("are followed by keys and places, in every way of writing them", async () => {
    const rows = await rowsOf(
      `select properties.nested.a.b, properties['nested']['a'].b, properties.nested.a.n,
       properties.nested.list[1], properties.nested.list.2, properties.nested.list[2].y,
       properties.nested.a from events where event = 'sign up'`,
    )
    expect(rows).toEqual([["deep", "deep", null, "x", '{"y":2}', "2", '{"b":"deep","n":null}']])
  })

  test.each([
    ["properties.price > 6", ["$pageview"]],
    ["properties.price = 5", ["sign up"]],
    ["properties.price = '5'", ["sign up"]],
    ["properties.flag = true", ["sign up"]],
    ["properties.flag = 'false'", ["$pageview"]],
    ["properties.when < toDateTime('2020-01-04')", ["sign up"]],
    ["properties.price in (5, 12.5)", ["sign up", "$pageview"]],
    ["properties.price + 1 = 6", ["sign up"]],
    ["properties.nested.list[2].y = 2", ["sign up"]],
    ["properties.key like '%2'", ["$pageview", "sign out"]],
    ["timestamp > '2020-01-10 10:30:00'", ["$pageview", "sign out"]],
    ["timestamp between '2020-01-10' and '2020-01-10 10:30:00'", ["sign up"]],
    ["toDate(timestamp) = '2020-01-11'", ["sign out"]],
  ])("where %s", async (condition, expected) => {
    const rows = await rowsOf(`select event from events where ${condition} order by timestamp`)
    expect(rows.flat()).toEqual(expected)
  })

  test("become numbers where numbers are wanted, and stay what they are elsewhere", async () => {
    const rows = await rowsOf(
      `select sum(properties.price), avg(properties.price), min(toFloat(properties.price)),
       sumIf(properties.price, event = 'sign up'), ifNull(any(properties.nope), '-') from events`,
    )
    expect(rows).toEqual([[17.5, 8.75, 5, 5, "-"]])
  })

  test("grouped by their text can be read as numbers beside it", async () => {
    const rows = await rowsOf(
      "select properties.price * 2, count() from events group by properties.price order by 1",
    )
    expect(rows).toEqual([
      [10, 1],
      [25, 1],
      [null, 1],
    ])
  })
})

test("moments are compared and written in the project's zone and answered in UTC", async () => {
  const settings = { timezone: "America/New_York" }
  const query = `select timestamp, toString(timestamp), toDate(timestamp) from events
    where timestamp < '2020-01-10 05:30:00'`
  expect(await rowsOf(query, settings)).toEqual([
    ["2020-01-10T10:00:00Z", "2020-01-10 05:00:00", "2020-01-10"],
  ])
})
