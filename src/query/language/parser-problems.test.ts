import { describe, expect, test } from "vitest"
import { parseExpression, parseQuery } from "./parser.ts"
import type { Problem } from "./problems.ts"

describe("a wrong query", () => {
  test.each<[string, readonly string[]]>([
    ["", ["|Empty query"]],
    ["-- only a note", ["|Empty query"]],
    [
      "SELCT a FORM t",
      ['SELCT|"SELCT" is not understood here.', 'FORM|"FORM" is not understood here.'],
    ],
    ["select a from t wehre b", ['wehre|"wehre" is not understood here.']],
    ["select a from t where b adn c", ['adn|"adn" is not understood here.']],
    ["select a, from t", ['from|Expected an expression, found "from".']],
    ["select a as from t", ['from|Expected a name after AS, found "from".']],
    ["select f(a b) from t", ['b|Expected a comma or ), found "b".']],
    ["select count( from t", ["(|The ( that is opened here is never closed."]],
    ["select f([1, 2) from t", ["[|The [ that is opened here is never closed before the next )."]],
    ["select a) from t", [")|This ) closes nothing: no ( is open."]],
    ["select 'abc from t", ["'abc from t|The string that begins here with ' is never closed."]],
    ["select a from t group b", ['b|Expected BY after GROUP, found "b".']],
    ["select a order by b where c", ["where|WHERE has to stand before ORDER BY."]],
    ["select a where b where c", ["where|WHERE is given twice."]],
    ["select a from t join u", ["join u|INNER JOIN needs ON with a condition, or USING."]],
    ["select a array join b as c", ["array join b as c|ARRAY JOIN needs a FROM before it."]],
    ["select a from t array join b", ["b|What ARRAY JOIN unfolds needs a name."]],
    ["select a offset 5", ["5|OFFSET needs a LIMIT before it."]],
    ["select a from t sample 5", ["5|SAMPLE takes a share of the rows from 0 to 1, not 5."]],
    [
      "with 1 select 2",
      ['select|What WITH defines needs a name: AS and the name are missing before "select".'],
    ],
    ["select order from t", ['order|Expected an expression, found "order".']],
    ["select a from t limit 1; ;", []],
    [
      "select 1; select 2",
      ["select|Only one SELECT can be asked; a second statement begins here."],
    ],
    ["select 1 from t select 2", ["select|Only one SELECT can be asked; another begins here."]],
    ["select a.b.* from t", ["a.b.*|Only the name of a table can stand before .*, found a.b."]],
    ["select case when a then b", ["|Expected END at the end of CASE, found the end of the text."]],
  ])("%j says what is wrong where", (text, findings) => {
    expect(findingsOf(text, parseQuery(text).problems)).toEqual(findings)
  })

  test.each([
    "INSERT INTO t VALUES (1)",
    "drop table events",
    "COPY events TO 'x'",
    "ATTACH 'x'",
    "PRAGMA database_list",
    "SET threads = 1",
  ])("that is another statement (%s) is told that only SELECT is allowed", (text) => {
    const [problem] = parseQuery(text).problems
    expect(problem?.code).toBe("unsupported")
    expect(problem?.message).toMatch(/^Only one SELECT can be asked; [A-Z]+ is not allowed\.$/)
  })

  test.each([
    ["select a settings x = 1", "SETTINGS can not be given in a query."],
    ["select a format JSON", "FORMAT can not be chosen in a query."],
    ["select a union select b", "UNION is only supported as UNION ALL."],
    ["select a except select b", "EXCEPT is only supported as UNION ALL."],
    ["with recursive a as (select 1) select 1", "WITH RECURSIVE is not supported."],
    ["select distinct on (a) b", "DISTINCT ON is not supported."],
    ["select a from t left semi join u on b", "SEMI JOIN is not supported."],
    ["select a group by b with rollup", "GROUP BY … WITH ROLLUP is not supported."],
    ["select 12345678901234567891", 'The number "12345678901234567891" can not be held exactly.'],
    ["select extract(fortnight from a)", 'EXTRACT knows no part "fortnight"'],
  ])("%s asks for what is not supported", (text, message) => {
    const { problems } = parseQuery(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code: "unsupported" })
    expect(problems[0]?.message).toContain(message)
  })

  test("shows all its mistakes at once, in their order", () => {
    const text = "select a as true, f(b +), c[0] from (select d frm e) where and 1 group by x y"
    expect(
      findingsOf(text, parseQuery(text).problems).map((finding) => finding.split("|")[0]),
    ).toEqual(["true", ")", "0", "frm", "and", "y"])
  })

  test("suggests what was probably meant", () => {
    expect(parseQuery("SELCT 1").problems[0]?.suggestion).toBe("Did you mean SELECT?")
    expect(parseQuery("select end from t").problems[0]?.suggestion).toContain("`end`")
    expect(parseQuery("select (1").problems[0]?.suggestion).toBe("Close it with ).")
    expect(parseExpression("list[0]").problems[0]?.suggestion).toBe("The first item is list[1].")
  })

  test("keeps its tree when only a rule is broken, and has none when a part could not be read", () => {
    expect(parseQuery("select a as team_id").ast).toBeDefined()
    expect(parseQuery("select a +").ast).toBeUndefined()
  })
})

test.each(["list[0]", "list.0", "properties.list[0]", "(1, 2).0"])(
  "the position in %s is told to start at one",
  (text) => {
    const [problem] = parseExpression(text).problems
    expect(problem?.message).toBe("Positions in arrays and tuples start at one, not at zero.")
    expect(text.slice(problem?.span.start, problem?.span.end)).toBe("0")
  },
)

function findingsOf(text: string, problems: readonly Problem[]): string[] {
  return problems.map(({ span, message }) => `${text.slice(span.start, span.end)}|${message}`)
}
