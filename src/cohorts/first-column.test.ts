import { describe, expect, test } from "vitest"
import { parseFirstColumn } from "./first-column.ts"

const read = (text: string) => parseFirstColumn(new TextEncoder().encode(text))

describe("the first column", () => {
  test.each<[string, string[]]>([
    ["a\nb\n", ["a", "b"]],
    ["a,1\r\nb,2", ["a", "b"]],
    ["\ufeffa\rb\r", ["a", "b"]],
    ["a\n\n\na\n b \n", ["a", "b"]],
    ['"a,b",1\n"c""d"\n', ["a,b", 'c"d']],
    ['"a\nb",1\nc', ["a\nb", "c"]],
    ['a,"x\ny"\nb', ["a", "b"]],
    [",x\nb", ["b"]],
    ['"a', ["a"]],
    ["", []],
  ])("of %j is %j", (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test("is refused when it is no text", () => {
    expect(() => parseFirstColumn(new Uint8Array([0xc3, 0x28]))).toThrow("UTF-8")
  })

  test("of a long file is read in a moment", () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `person-${index},x`)
    expect(read(lines.join("\n"))).toHaveLength(200_000)
  })
})
