import { describe, expect, test } from "vitest"
import { ReadCache } from "./read-cache.ts"

const now = new Date("2026-03-02T10:00:00Z")
const answer = { text: "{}", keyId: null }

function later(ms: number): Date {
  return new Date(now.getTime() + ms)
}

describe("the read cache", () => {
  test("gives back what was kept, as long as nothing was written", () => {
    const cache = new ReadCache()
    cache.keep("a", answer, { writeCount: 3, now })
    expect(cache.find("a", 3, now)).toMatchObject(answer)
    expect(cache.find("b", 3, now)).toBeUndefined()
    expect(cache.find("a", 4, now)).toBeUndefined()
  })

  test("forgets after a second, in whichever direction the clock moves", () => {
    const cache = new ReadCache()
    cache.keep("a", answer, { writeCount: 0, now })
    expect(cache.find("a", 0, later(999))).toBeDefined()
    expect(cache.find("a", 0, later(1_000))).toBeUndefined()
    expect(cache.find("a", 0, later(-1_000))).toBeUndefined()
  })

  test("never keeps a read that began before the newest write it knows of", () => {
    const cache = new ReadCache()
    cache.keep("a", answer, { writeCount: 2, now })
    cache.keep("b", answer, { writeCount: 1, now })
    expect(cache.find("b", 2, now)).toBeUndefined()
    expect(cache.find("b", 1, now)).toBeUndefined()
    expect(cache.find("a", 2, now)).toBeDefined()
  })

  test("holds a bounded number of answers of bounded size", () => {
    const cache = new ReadCache()
    cache.keep("huge", { ...answer, text: "x".repeat(40_000) }, { writeCount: 0, now })
    expect(cache.find("huge", 0, now)).toBeUndefined()
    for (let index = 0; index <= 1_000; index++)
      cache.keep(`${index}`, answer, { writeCount: 0, now })
    expect(cache.find("0", 0, now)).toBeUndefined()
    expect(cache.find("1000", 0, now)).toBeDefined()
  })
})
