import { expect, test } from "vitest"
import { DomainError } from "./errors.ts"
import { Gate } from "./gate.ts"

test("a gate runs so many at once, lets so many wait in order, and refuses the rest", async () => {
  const gate = new Gate({ what: "tests", maxRunning: 2, maxWaiting: 2 })
  const log: string[] = []
  const finish: (() => void)[] = []
  const start = (name: string) =>
    gate.run(async () => {
      log.push(name)
      await new Promise<void>((resolve) => finish.push(resolve))
    })
  const runs = ["a", "b", "c", "d"].map(start)
  await expect(start("e")).rejects.toThrow("too many tests at once")
  await expect(start("e")).rejects.toBeInstanceOf(DomainError)
  expect(log).toEqual(["a", "b"])
  for (const count of [3, 4]) {
    finish.shift()?.()
    await expect.poll(() => log.length).toBe(count)
  }
  expect(log).toEqual(["a", "b", "c", "d"])
  for (const end of finish) end()
  await Promise.all(runs)
})

test("a gate gives the place back when the work fails", async () => {
  const gate = new Gate({ what: "tests", maxRunning: 1, maxWaiting: 0 })
  await expect(gate.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(await gate.run(() => Promise.resolve(1))).toBe(1)
})
