import { describe, expect, test } from "vitest"
import { TEXT_MAX_CHARACTERS, TOKENS_MAX_COUNT, tokenize } from "./lexer.ts"
import { printQuoted, readQuoted } from "./lexer-quotes.ts"

describe("tokenize", () => {
  test.each([
    ["a$b $group_0 _x", ["a$b", "$group_0", "_x"]],
    ["größe", ["größe"]],
    ["a=~*b!~c", ["a", "=~*", "b", "!~", "c"]],
    ["a==b<>c", ["a", "==", "b", "<>", "c"]],
    ["x::T ?? y", ["x", "::", "T", "??", "y"]],
    ["1 1.5 .5 1e3 1.5E-3 0x1F", ["1", "1.5", ".5", "1e3", "1.5E-3", "0x1F"]],
    ["a.1.2", ["a", ".", "1", ".", "2"]],
    ["(1,2).1", ["(", "1", ",", "2", ")", ".", "1"]],
    ["a -- note\n b", ["a", "b"]],
    ["a /* two\n lines */ b", ["a", "b"]],
    ["a\u00a0b", ["a", "b"]],
  ])("splits %j", (text, pieces) => {
    const { tokens, problems } = tokenize(text)
    expect(problems).toEqual([])
    expect(tokens.slice(0, -1).map((token) => token.text)).toEqual(pieces)
    expect(tokens.at(-1)).toMatchObject({ kind: "end", start: text.length })
  })

  test.each([
    ["'it''s'", "it's"],
    ["'it\\'s'", "it's"],
    ["'a\\nb\\t\\\\'", "a\nb\t\\"],
    ["'\\d+\\%'", "\\d+\\%"],
    ['"a""b"', 'a"b'],
    ["`a\\`b``c`", "a`b`c"],
    ["''", ""],
  ])("reads what %s means", (text, value) => {
    const { tokens, problems } = tokenize(text)
    expect(problems).toEqual([])
    expect(tokens[0]).toMatchObject({ text: value, start: 0, end: text.length })
  })

  test("reads back every string that is printed in quotes", () => {
    const value = "'\"`\\ \n\r\t\b\f\v\0\x07 ü 😀 \\d"
    for (const quote of ["'", "`"] as const) {
      const text = printQuoted(value, quote)
      expect(readQuoted(text, 0)).toEqual({ value, end: text.length })
    }
  })

  test.each([
    ["select 'abc", 7, "The string that begins here with ' is never closed."],
    ["select `abc", 7, "The name that begins here with ` is never closed."],
    ["select /* abc", 7, "The comment that begins here with /* is never closed."],
    ["select ``", 7, "A name in quotes is empty."],
    ["select 1abc", 7, '"1abc" is neither a number nor a name.'],
    ["select 1.2.3", 7, '"1.2.3" is neither a number nor a name.'],
    ["select @", 7, '"@" means nothing here.'],
    ["select \0", 7, '"\0" means nothing here.'],
  ])("names the mistake in %j and its place", (text, start, message) => {
    const { problems } = tokenize(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code: "syntax_error", message, span: { start } })
  })

  test("says what to write instead of signs of other languages", () => {
    const { problems } = tokenize("a && !b # ‘c’")
    expect(problems.map(({ suggestion }) => suggestion)).toEqual([
      "Write AND.",
      "Write AND.",
      "Write NOT.",
      "Begin a comment with --.",
      "Quote strings with '.",
      "Quote strings with '.",
    ])
  })

  test("refuses texts and numbers of tokens beyond its bounds", () => {
    const long = tokenize("(".repeat(TEXT_MAX_CHARACTERS + 1))
    expect(long.tokens).toHaveLength(1)
    expect(long.problems[0]?.code).toBe("too_complex")
    const many = tokenize("(".repeat(TOKENS_MAX_COUNT + 1))
    expect(many.tokens).toHaveLength(TOKENS_MAX_COUNT + 1)
    expect(many.problems[0]?.code).toBe("too_complex")
  })
})
