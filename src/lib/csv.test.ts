import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { csvChunks, csvLine } from "./csv.ts"
import { parseExact } from "./exact-json.ts"

/** Reads one line back, by the letter of the standard. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)]
  return cells.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "")
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ""
  for await (const chunk of chunks) text += chunk
  return text
}

describe("a line of CSV", () => {
  test.each([
    [["a", 1, true, null, undefined], "a,1,true,,\r\n"],
    [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
    [[" padded "], '" padded "\r\n'],
    [[["x", "y"], { a: 1 }], '"[""x"",""y""]","{""a"":1}"\r\n'],
    [["=1+1", "-2"], "=1+1,-2\r\n"],
  ])("of %j is %j", (cells, line) => expect(csvLine(cells)).toBe(line))

  test("keeps every digit of a number", () => {
    const { n } = parseExact('{"n": 12345678901234567890}') as { n: unknown }
    expect(csvLine([n, { n }])).toBe('12345678901234567890,"{""n"":12345678901234567890}"\r\n')
  })

  test("read back is what it was made of", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(cellsOf(csvLine(cells))).toEqual(cells)
      }),
    )
  })
})

describe("CSV in chunks", () => {
  async function* pages() {
    yield [{ a: 1, b: "x", c: "unused" }]
    yield []
    yield [
      { a: 2, b: "y", c: "" },
      { a: 3, b: "z", c: "" },
    ]
  }

  test("has a header and the named columns of every page", async () => {
    expect(await textOf(csvChunks(["b", "a"], pages()))).toBe("b,a\r\nx,1\r\ny,2\r\nz,3\r\n")
  })

  test("without rows is the header alone", async () => {
    async function* none() {}
    async function* emptyPages() {
      yield []
      yield []
    }
    expect(await textOf(csvChunks(["a"], none()))).toBe("a\r\n")
    expect(await textOf(csvChunks(["a"], emptyPages()))).toBe("a\r\n")
  })

  test("says nothing before the first page is there", async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything.
    async function* failing(): AsyncGenerator<readonly { a: number }[]> {
      throw new Error("no rows today")
    }
    await expect(csvChunks(["a"], failing()).next()).rejects.toThrow("no rows today")
  })
})
