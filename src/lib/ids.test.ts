import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  derivedUuid,
  isUuid,
  newUuid,
  randomLetters,
  randomToken,
  randomUrlSafe,
  sha256Hex,
  uuidV5,
} from "./ids.ts"

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

describe("derived UUIDs", () => {
  const ms = Date.UTC(2026, 0, 2)
  const seed = sha256Hex("log:1")

  test("are of version 7, carry the moment, and are the same for the same input", () => {
    const id = derivedUuid(ms, seed, 5)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(ms)
    expect(derivedUuid(ms, seed, 5)).toBe(id)
    expect(derivedUuid(ms, sha256Hex("log:2"), 5)).not.toBe(id)
  })

  test("sort by index and never repeat, however large it grows", () => {
    const indexes = [0, 1, 255, 256, 4095, 4096, 70_000, 2 ** 20 - 1]
    const ids = indexes.map((index) => derivedUuid(ms, seed, index))
    expect(ids).toEqual(ids.toSorted())
    const beyond = [2 ** 20, 2 ** 20 + 1, 2 ** 21].map((index) => derivedUuid(ms, seed, index))
    expect(new Set([...ids, ...beyond]).size).toBe(ids.length + beyond.length)
  })
})

test("UUIDs of version 5 are those of the standard's example", () => {
  const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2")
})
