import { describe, expect, test } from "vitest"
import type { SelectAst } from "./ast.ts"
import { parseQuery } from "./parser.ts"
import { printLanguage } from "./print-language.ts"

describe("parseQuery", () => {
  test.each([
    ["select 1;", "SELECT 1"],
    ["(select 1)", "SELECT 1"],
    ["select a, b from events e", "SELECT a, b FROM events AS e"],
    ["select a from events, b", "SELECT a FROM events CROSS JOIN b"],
    [
      "select a from s.t final sample 1/4 offset 0.5",
      "SELECT a FROM s.t FINAL SAMPLE 0.25 OFFSET 0.5",
    ],
    ["select a from numbers(1, 2) n", "SELECT a FROM numbers(1, 2) AS n"],
    ["select a from {t}", "SELECT a FROM {t}"],
    ["select a from (select 1) as s", "SELECT a FROM (SELECT 1) AS s"],
    ["select a from t join u on a = b", "SELECT a FROM t INNER JOIN u ON a = b"],
    ["select a from t full outer join u on a = b", "SELECT a FROM t FULL JOIN u ON a = b"],
    [
      "select a from t left join u on a = b, c = d",
      "SELECT a FROM t LEFT JOIN u ON a = b AND c = d",
    ],
    [
      "select a from t join u on a = b, c d",
      "SELECT a FROM t INNER JOIN u ON a = b CROSS JOIN c AS d",
    ],
    ["select a from t right join u using a, b", "SELECT a FROM t RIGHT JOIN u USING (a, b)"],
    ["select a from t array join l as i", "SELECT a FROM t ARRAY JOIN l AS i"],
    ["select a from t left array join l i, m j", "SELECT a FROM t LEFT ARRAY JOIN l AS i, m AS j"],
    ["select a from t prewhere b where c", "SELECT a FROM t PREWHERE b WHERE c"],
    ["select a limit 5, 10", "SELECT a LIMIT 5 OFFSET 10"],
    ["select a limit 5 offset 10", "SELECT a LIMIT 5 OFFSET 10"],
    ["select a limit 5 with ties", "SELECT a LIMIT 5 WITH TIES"],
    ["select a limit 1 by b, c limit 5", "SELECT a LIMIT 1 BY b, c LIMIT 5"],
    ["select top 5 a", "SELECT a LIMIT 5"],
    ["select top from t", "SELECT top FROM t"],
    ["select distinct a", "SELECT DISTINCT a"],
    ["with a as (select 1) select 2", "WITH a AS (SELECT 1) SELECT 2"],
    ["with 1 + 1 as a select a", "WITH 1 + 1 AS a SELECT a"],
    ["select a order by b, c desc", "SELECT a ORDER BY b ASC, c DESC"],
    [
      "select f() over w window w as (order by a)",
      "SELECT f() OVER w WINDOW w AS (ORDER BY a ASC)",
    ],
    ["select 1 union all select 2", "SELECT 1 UNION ALL SELECT 2"],
    ["(select 1 limit 1) union all (select 2)", "SELECT 1 LIMIT 1 UNION ALL SELECT 2"],
    ["select event from events where {filters}", "SELECT event FROM events WHERE {filters}"],
    [
      "select count(), event from events where properties.random_uuid = {v} group by event",
      "SELECT count(), event FROM events WHERE properties.random_uuid = {v} GROUP BY event",
    ],
    ["SeLeCt a FrOm t -- done", "SELECT a FROM t"],
  ])("reads %s", (text, printed) => {
    const { ast, problems } = parseQuery(text)
    expect(problems).toEqual([])
    expect(ast && printLanguage(ast)).toBe(printed)
  })

  test("gives the places of what it read", () => {
    const text = "select (a + b) as c from events where d"
    const { columns, where, span } = parseQuery(text).ast as SelectAst
    const pieceOf = (node: typeof where) => text.slice(node?.span.start, node?.span.end)
    expect(span).toEqual({ start: 0, end: text.length })
    expect(columns.map(pieceOf)).toEqual(["(a + b) as c"])
    expect(pieceOf(where)).toBe("d")
  })
})
