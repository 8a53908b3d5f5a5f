import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DomainError } from "../lib/errors.ts"
import {
  applySourceChanges,
  checkFiles,
  findNameProblem,
  isKeptFile,
  MAX_FILE_BYTES,
  MAX_FILE_NAME_CHARS,
  MAX_PLUGIN_BYTES,
  MAX_PLUGIN_FILES,
  parseSourceChanges,
} from "./files.ts"

describe("a file name", () => {
  test.each(["plugin.json", "src/index.ts", "a b.md", "__proto__", "..a/b"])(
    "may be %s",
    (name) => {
      expect(findNameProblem(name)).toBeUndefined()
    },
  )

  const wrong = ["", "/a", "../a", "a/../b", "a//b", "./a", "a\\b", "c:a", "a\0b", "a\nb", "a/"]
  test.each([...wrong, "x".repeat(MAX_FILE_NAME_CHARS + 1)])("may not be %j", (name) => {
    expect(findNameProblem(name)).toBeTypeOf("string")
  })
})

test("source and documents are kept, the rest is left out", () => {
  const kept = ["plugin.json", "index.js", "site.ts", "frontend.tsx", "README", "docs/a.md"]
  const leftOut = ["logo.png", ".git/config.json", "node_modules/a/b.js", "package-lock.json", "a"]
  expect([...kept, ...leftOut].filter(isKeptFile)).toEqual(kept)
})

describe("a source edit", () => {
  const before = new Map([
    ["index.ts", "old"],
    ["plugin.json", "{}"],
  ])

  test("creates, changes and removes the files it names and keeps the others", () => {
    const changes = parseSourceChanges({ "index.ts": "new", "site.ts": "1", "plugin.json": null })
    const after = applySourceChanges(before, changes)
    expect(Object.fromEntries(after)).toEqual({ "index.ts": "new", "site.ts": "1" })
    expect(before.get("index.ts")).toBe("old")
  })

  test("may remove what is not there", () => {
    expect(applySourceChanges(before, new Map([["gone.ts", null]]))).toEqual(before)
  })

  test.each([null, [], "x", { "a.ts": 1 }, { "../a.ts": "" }])("may not be %j", (body) => {
    expect(() => parseSourceChanges(body)).toThrow(DomainError)
  })

  test("that is wrong is refused by the name of the file", () => {
    const large = new Map([["a.ts", "x".repeat(MAX_FILE_BYTES + 1)]])
    expect(() => applySourceChanges(before, large)).toThrow(
      expect.objectContaining({ attr: "a.ts" }),
    )
    expect(() => parseSourceChanges({ "": "" })).toThrow('the file name "" is empty')
  })

  test("gives what an object of the same names would hold", () => {
    const edit = fc.dictionary(fc.constantFrom("a.ts", "b.ts", "__proto__"), fc.option(fc.string()))
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), (edits) => {
        const expected = new Map<string, string>()
        let files: ReadonlyMap<string, string> = new Map()
        for (const body of edits) {
          if (Object.values(body).some((value) => value?.includes("\0"))) continue
          files = applySourceChanges(files, parseSourceChanges(body))
          for (const [name, value] of Object.entries(body)) {
            if (value === null) expected.delete(name)
            else expected.set(name, value)
          }
        }
        expect(files).toEqual(expected)
      }),
    )
  })
})

test("a plugin has bounds on files, on each file and in all, and holds no NUL", () => {
  const many = Array.from({ length: MAX_PLUGIN_FILES + 1 }, (_, i) => [`${i}.ts`, ""] as const)
  const heavy = Array.from(
    { length: 9 },
    (_, i) => [`${i}.ts`, "x".repeat(MAX_FILE_BYTES)] as const,
  )
  expect(() => checkFiles(new Map(many))).toThrow(`${MAX_PLUGIN_FILES}`)
  expect(() => checkFiles(new Map(heavy))).toThrow(`${MAX_PLUGIN_BYTES}`)
  expect(() => checkFiles(new Map([["a.ts", "é".repeat(MAX_FILE_BYTES)]]))).toThrow("a.ts has")
  expect(() => checkFiles(new Map([["a.ts", "\0"]]))).toThrow("NUL")
})
