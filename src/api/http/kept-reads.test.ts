import { describe, expect, test } from "vitest"
import { KeptReads } from "./kept-reads.ts"

const now = new Date("2026-03-02T10:00:00Z")

function later(ms: number): Date {
  return new Date(now.getTime() + ms)
}

/** A read that tells how often it was made. */
function counted() {
  let count = 0
  return async () => ++count
}

describe("kept reads", () => {
  test("are made once, as long as nothing is written", async () => {
    const reads = new KeptReads<number>()
    const read = counted()
    expect(await reads.find("a", { now, writeCount: 3 }, read)).toBe(1)
    expect(await reads.find("a", { now, writeCount: 3 }, read)).toBe(1)
    expect(await reads.find("b", { now, writeCount: 3 }, read)).toBe(2)
    expect(await reads.find("a", { now, writeCount: 4 }, read)).toBe(3)
  })

  test("are shared by readers of the same moment, but not across a write", async () => {
    const reads = new KeptReads<number>()
    const read = counted()
    const moments = [0, 0, 0, 1, 1].map((writeCount) => ({ now, writeCount }))
    const found = await Promise.all(moments.map((moment) => reads.find("a", moment, read)))
    expect(found).toEqual([1, 1, 1, 2, 2])
  })

  test("that began before a write somebody else knows of are neither served nor kept", async () => {
    const reads = new KeptReads<number>()
    const read = counted()
    expect(await reads.find("a", { now, writeCount: 6 }, read)).toBe(1)
    expect(await reads.find("a", { now, writeCount: 5 }, read)).toBe(2)
    expect(await reads.find("b", { now, writeCount: 5 }, read)).toBe(3)
    expect(await reads.find("a", { now, writeCount: 6 }, read)).toBe(1)
    expect(await reads.find("b", { now, writeCount: 6 }, read)).toBe(4)
  })

  test("live a second, in whichever direction the clock moves", async () => {
    const reads = new KeptReads<number>()
    const read = counted()
    const find = (ms: number) => reads.find("a", { now: later(ms), writeCount: 0 }, read)
    expect([await find(0), await find(999), await find(1_000), await find(-1)]).toEqual([
      1, 1, 2, 3,
    ])
  })

  test("that fail or are not worth it are made again", async () => {
    const reads = new KeptReads<number>((value) => value > 1)
    const read = counted()
    const moment = { now, writeCount: 0 }
    await expect(reads.find("a", moment, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    )
    expect(await reads.find("a", moment, read)).toBe(1)
    expect(await reads.find("a", moment, read)).toBe(2)
    expect(await reads.find("a", moment, read)).toBe(2)
  })

  test("are bounded in number, and the oldest makes room", async () => {
    const reads = new KeptReads<number>()
    const read = counted()
    const moment = { now, writeCount: 0 }
    for (let index = 0; index <= 1_000; index++) await reads.find(`${index}`, moment, read)
    expect(await reads.find("1", moment, read)).toBe(2)
    expect(await reads.find("0", moment, read)).toBe(1_002)
    expect(await reads.find("1", moment, read)).toBe(1_003)
  })
})
