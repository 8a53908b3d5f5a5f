import { DuckDBInstance, listValue } from "@duckdb/node-api"
import fc from "fast-check"
import { expect, test } from "vitest"
import { judgePattern } from "./re2.ts"

test.each([
  "\\.com$",
  "^a*?b+$",
  "(?i)x|(?P<n>y)",
  "[^]a-z\\d-]{2,3}",
  "a{,2}{",
  "()|",
  "[[:alpha:]_]",
  "\\x{1F600}\\.",
])("%s is a pattern", (pattern) => {
  expect(judgePattern(pattern)).toBe("valid")
})

test.each([
  "?*",
  "?.",
  "a**",
  "(a",
  "a)",
  "[a",
  "[z-a]",
  "a{2,1}",
  "a{1001}",
  "(?<=a)b",
  "\\1",
  "\\",
])("%s is none", (pattern) => {
  expect(judgePattern(pattern)).toBe("invalid")
})

test.each(["\\p{Greek}", "(?<name>a)", "((a{100}){100}){100}", "x".repeat(10_001)])(
  "%s is left to the engine",
  (pattern) => {
    expect(judgePattern(pattern)).toBe("unknown")
  },
)

test("the engine agrees with every verdict", async () => {
  const piece = fc.constantFrom(
    ..."abz09.*+?|()[]^$-{}\\,:=!<>_PiU#é ~/".split(""),
    ..."dDsSwWbBAzZxQEpCnk".split("").map((char) => `\\${char}`),
    ...["(?:", "(?i)", "(?P<a>", "[^", "{2}", "{2,", "[:alpha:]", "[[:x:]]", "\\x41", "\\x{41}"],
  )
  const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""))
  const judged = fc
    .sample(pattern, SAMPLE_COUNT)
    .map((candidate) => [candidate, judgePattern(candidate)] as const)
    .filter(([, verdict]) => verdict !== "unknown")
  const patterns = judged.map(([candidate]) => candidate)
  const accepted = await listAccepted(patterns)
  const wrong = judged.filter(([, verdict], index) => accepted[index] !== (verdict === "valid"))
  expect(wrong).toEqual([])
  expect(judged.length).toBeGreaterThan(SAMPLE_COUNT / 2)
})

const SAMPLE_COUNT = 3_000

/** Patterns that differ by row are compiled by row, so one query tries them all. */
async function listAccepted(patterns: readonly string[]): Promise<readonly boolean[]> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(
    "SELECT TRY(regexp_matches('abc', pattern)) IS NOT NULL FROM (SELECT unnest($1) AS pattern)",
    [listValue([...patterns])],
  )
  connection.closeSync()
  instance.closeSync()
  return reader.getRows().map(([isAccepted]) => isAccepted === true)
}
