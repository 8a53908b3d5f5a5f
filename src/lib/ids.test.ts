import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isUuid, newUuid, randomLetters, randomToken, randomUrlSafe, sha256Hex } from "./ids.ts"

describe("new UUIDs", () => {
  test("are of version 7 and the standard's variant", () => {
    expect(newUuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test("increase strictly, also when many are made in one millisecond", () => {
    const ids = Array.from({ length: 10_000 }, newUuid)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test("a UUID is told by its form alone, in either case", () => {
  expect(isUuid(newUuid())).toBe(true)
  expect(isUuid(newUuid().toUpperCase())).toBe(true)
  expect(isUuid("00000000-0000-0000-0000-000000000000")).toBe(true)
})

const KNOWN = "0195a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"

test.each(["", "1", "@current", KNOWN.replaceAll("-", ""), `${KNOWN}\n`, `{${KNOWN}}`])(
  "%j is no UUID",
  (text) => expect(isUuid(text)).toBe(false),
)

test("random text has the length and the letters asked for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (length) => {
      expect(randomLetters("abc", length)).toMatch(new RegExp(`^[abc]{${length}}$`))
    }),
  )
  expect(randomToken()).toMatch(/^[\dA-Za-z]{43}$/)
  expect(randomUrlSafe()).toMatch(/^[\w-]{43}$/)
  expect(randomToken()).not.toBe(randomToken())
})

test("a hash is the hexadecimal SHA-256 of the text", () => {
  const known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  expect(sha256Hex("abc")).toBe(known)
})
