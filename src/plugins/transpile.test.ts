import { describe, expect, test } from "vitest"
import { needsTranspile, transpile, transpileEntries } from "./transpile.ts"

describe("a source", () => {
  test("in TypeScript or JSX becomes JavaScript", async () => {
    const typed = await transpile("index.ts", "export const a: number = 1 as const\n")
    expect(typed).toEqual({ status: "transpiled", code: "export const a = 1;\n" })
    const element = await transpile("frontend.tsx", "const a = (x: string) => <b>{x}</b>\n")
    expect(element).toMatchObject({ status: "transpiled" })
    expect(element.status === "transpiled" && element.code).toContain('createElement("b", null, x)')
  })

  test("keeps characters beyond ASCII", async () => {
    const result = await transpile("site.ts", 'export const a: string = "žluť 🦔"')
    expect(result).toEqual({ status: "transpiled", code: 'export const a = "žluť 🦔";\n' })
  })

  test("with an error says where it is, counted in characters from 1", async () => {
    const plain = await transpile("site.ts", "const a = 1\n  let b c\n")
    expect(plain).toEqual({ status: "error", error: 'site.ts:2:9: Expected ";" but found "c"' })
    const accented = await transpile("site.ts", 'let a = "éé" b')
    expect(accented).toMatchObject({ error: 'site.ts:1:14: Expected ";" but found "b"' })
  })

  test("that is empty becomes an empty script", async () => {
    expect(await transpile("site.ts", "")).toEqual({ status: "transpiled", code: "" })
  })

  const hostile = {
    "prefix operators": "!".repeat(400_000),
    parentheses: "(".repeat(400_000),
    "arrow functions": "a=>".repeat(100_000),
  }
  test.each(Object.entries(hostile))(
    "nested in %s without end is an error, not a crash",
    async (_, text) => {
      expect(await transpile("site.ts", text)).toMatchObject({ status: "error" })
      expect(await transpile("site.ts", "1")).toMatchObject({ status: "transpiled" })
    },
  )
})

test("only entry files that are not JavaScript yet are compiled", async () => {
  const names = ["site.ts", "frontend.tsx", "index.js", "src/a.ts", "index.d.ts", "plugin.json"]
  const results = await transpileEntries(new Map(names.map((name) => [name, "1"])))
  expect([...results.keys()]).toEqual(["site.ts", "frontend.tsx"])
  expect(needsTranspile("src/a.mts")).toBe(true)
})
