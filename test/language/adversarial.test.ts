/**
 * Texts that want what they must not have: files, the network, other projects, the engine itself, or all the time
 * there is. Each is refused with a problem, or answers from the project's own rows.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DomainError } from "../../src/lib/errors.ts"
import {
  checkQuery,
  compileExpression,
  compileQuery,
  listCohortNames,
} from "../../src/query/language/compile.ts"
import { type LanguageStore, languageContext, openPeople, problemsOf } from "../support/language.ts"

let people: LanguageStore

beforeAll(async () => {
  people = await openPeople()
}, 60_000)

afterAll(() => people[Symbol.asyncDispose]())

describe("no other statement than SELECT is understood", () => {
  test.each([
    "copy events to '/tmp/x.csv'",
    "attach '/tmp/x.db' as x",
    "detach x",
    "pragma database_list",
    "install httpfs",
    "load httpfs",
    "set memory_limit = '1GB'",
    "insert into events values (1)",
    "update events set event = 'x'",
    "delete from events",
    "drop table events",
    "create table x (a int)",
    "alter table events add column x int",
    "truncate events",
    "explain select 1",
    "describe events",
    "show tables",
    "call dbgen()",
    "export database '/tmp/x'",
    "vacuum",
    "checkpoint",
    "system shutdown",
    "grant all on events to me",
    "kill query where 1",
    "optimize table events",
    "select 1; select 2",
    "select 1; drop table events",
    "select 1 into outfile '/tmp/x'",
    "select 1 format CSV",
    "select 1 settings max_threads = 1",
    "with x as (delete from events) select 1",
    "with recursive x as (select 1 union all select * from x) select * from x",
    "values (1)",
    "from events select 1",
    "table events",
  ])("%s", (text) => {
    expect(problemsOf(text).length).toBeGreaterThan(0)
  })
})

describe("functions and tables that reach outside do not exist", () => {
  const FUNCTIONS = [
    "read_csv('/etc/passwd')",
    "read_text('/etc/passwd')",
    "read_blob('/etc/passwd')",
    "getenv('HOME')",
    "current_setting('home_directory')",
    "file('/etc/passwd')",
    "url('http://127.0.0.1/')",
    "remote('127.0.0.1', 'x', 'y')",
    "system('ls')",
    "sleep(3)",
    "sleepEachRow(3)",
    "dictGet('x', 'y', 1)",
    "hostName()",
    "version()",
    "currentUser()",
    "query('select 1')",
    "sql_auto_complete('x')",
    "pg_sleep(1)",
    "nextval('x')",
    "load_extension('x')",
    "duckdb_settings()",
    "evalMLMethod(1)",
    "throwIf(1)",
    "materialize(1)",
    "constructor()",
    "__proto__()",
    "toString_()",
    "hasOwnProperty(1)",
  ]
  test.each(FUNCTIONS)("select %s", (call) => {
    expect(problemsOf(`select ${call}`)).toMatchObject([{ code: "unknown_function" }])
  })

  test.each([
    ...FUNCTIONS,
    "system.tables",
    "system.one",
    "information_schema.tables",
    "information_schema",
    "sqlite_master",
    "duckdb_tables",
    "duckdb_secrets()",
    "pg_catalog.pg_tables",
    "main.events",
    "overrides",
    "cohort_members",
    "log_marks",
    "property_columns",
    "person_snapshots",
    "applied_changes",
    '"/etc/passwd"',
    '"events.parquet"',
    "`s3://bucket/x`",
    "constructor",
    "__proto__",
    "toString",
    "range(10)",
    "generate_series(1, 2)",
    "numbers(1000000000000)",
    "numbers(-1)",
    "numbers(1e300)",
    "zeros(10)",
    "raw_raw_events",
  ])("from %s", (source) => {
    expect(problemsOf(`select 1 from ${source}`).length).toBeGreaterThan(0)
  })

  test.each([
    "project_id",
    "team_id",
    "inserted_at",
    "snapshot_id",
    "rowid",
    "_table",
    "e.project_id",
  ])("select %s", (field) => {
    expect(problemsOf(`select ${field} from events e`)).toMatchObject([
      { code: "unresolved_field" },
    ])
    expect(problemsOf(`select 1 from events e where ${field} = 1`)).toHaveLength(1)
  })
})

describe("quotes, comments and letters stay what they are", () => {
  const odd = [
    "it's",
    'a"b',
    "a`b",
    "\\",
    "\\'; drop table events; --",
    "'; select 1; --",
    "/* x */",
    "-- x",
    "$1",
    "{x}",
    "%",
    "?",
    "\0",
    "\u202e",
    "🦔",
    "e\u0301",
    "\u00a0",
    "\ud800",
    "]]>",
  ]
  test.each(odd)("the value %j comes back as it is", async (value) => {
    const rows = await people.rowsOf("select {v}, concat({v}, ''), {v} = {v}", {
      values: { v: value },
    })
    const wellFormed = value.toWellFormed()
    expect(rows).toEqual([[wellFormed, wellFormed, 1]])
  })

  test.each(odd.filter((name) => !name.includes("\0") && name.isWellFormed()))(
    "the name %j names a column, a source and a property",
    async (name) => {
      const quoted = `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "``")}\``
      const text = `with ${quoted} as (select 1 as ${quoted}) select ${quoted}.${quoted} as ${quoted} from ${quoted}`
      const compiled = checkQuery(text, languageContext(1))
      expect(compiled.problems).toEqual([])
      expect(await people.rowsOf(text)).toEqual([[1]])
      const property = `select properties.${quoted} from events limit 1`
      expect(await people.rowsOf(property)).toEqual([[null]])
    },
  )

  test("comments hide what stands in them, and nothing else", async () => {
    const text = "select /* ' */ 1 -- ' \n + /* */ 1"
    expect(await people.rowsOf(text)).toEqual([[2]])
    expect(problemsOf("select 1 /* never closed").length).toBeGreaterThan(0)
    expect(problemsOf("select 'never closed").length).toBeGreaterThan(0)
  })

  test("a value of a placeholder is never read as text of the language", async () => {
    const values = { v: "1) or (1 = 1", list: ["a') or ('a' = 'a"], f: "{filters}" }
    const query = "select count() from events where event = {v} or event in {list} or event = {f}"
    expect(await people.rowsOf(query, { values })).toEqual([[0]])
    expect(problemsOf("select 1 from {v}", { values: { v: "events" } }).length).toBeGreaterThan(0)
  })

  test("a property may have any key", async () => {
    const rows = await people.rowsOf(
      "select properties['a''b'], properties.`$.*` from events limit 1",
    )
    expect(rows).toEqual([[null, null]])
  })
})

describe("what is too large is refused before an engine sees it", () => {
  const isRefused = (text: string) => {
    const { problems } = checkQuery(text, languageContext(1))
    expect(problems.length).toBeGreaterThan(0)
    expect(() => compileQuery(text, languageContext(1))).toThrow(DomainError)
    expect(() => compileExpression(text, "events", languageContext(1))).toThrow(DomainError)
    expect(listCohortNames(text)).toEqual([])
  }

  test.each([
    ["a megabyte of parentheses", `select ${"(".repeat(500_000)}1${")".repeat(500_000)}`],
    ["a megabyte of open parentheses", "(".repeat(1_000_000)],
    ["deep parentheses", `select ${"(".repeat(5000)}1${")".repeat(5000)}`],
    ["deep arrays", `select ${"[".repeat(5000)}1${"]".repeat(5000)}`],
    ["deep braces", `select ${"{".repeat(5000)}1${"}".repeat(5000)}`],
    ["deep calls", `select ${"lower(".repeat(5000)}'a'${")".repeat(5000)}`],
    ["deep queries", `select * from ${"(select * from ".repeat(300)}events${")".repeat(300)}`],
    ["deep negations", `select ${"not ".repeat(50_000)}1`],
    ["deep minus", `select ${"- ".repeat(50_000)}1`],
    ["deep cases", `select ${"case when 1 then ".repeat(3000)}1${" end".repeat(3000)}`],
    ["many terms", `select ${"1 + ".repeat(40_000)}1`],
    ["many columns", `select ${"1, ".repeat(2000)}1`],
    ["many values", `select 1 in (${"1, ".repeat(20_000)}1)`],
    ["many unions", Array.from({ length: 300 }, () => "select 1").join(" union all ")],
    ["many joins", `select 1 from events${" cross join persons".repeat(100)}`],
    [
      "many named queries",
      `with ${Array.from({ length: 500 }, (_, i) => `q${i} as (select 1)`).join(", ")} select 1`,
    ],
    ["aliases that double", doubling(40)],
    ["members without end", `select event${".a".repeat(30_000)} from events`],
  ])("%s", (_what, text) => isRefused(text))

  test("a value with too many items is refused", () => {
    const values = { list: Array.from({ length: 200_000 }, (_, index) => index) }
    const { problems } = checkQuery("select 1 in {list}", languageContext(1, { values }))
    expect(problems).toMatchObject([{ code: "too_complex" }])
  })
})

/** `a1 + a1 as a2` and so on: each line doubles the tree. */
function doubling(count: number): string {
  const columns = Array.from({ length: count }, (_, i) => `a${i} + a${i} as a${i + 1}`)
  return `select 1 as a0, ${columns.join(", ")}`
}
