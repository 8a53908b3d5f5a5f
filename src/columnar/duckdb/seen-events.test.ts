import fc from "fast-check"
import { expect, test } from "vitest"
import { newUuid } from "../../lib/ids.ts"
import {
  append,
  batchOf,
  eventOf,
  openEngine,
  openFolder,
  readProperties,
  uuidOf,
} from "./testing.ts"
import { UuidFilter } from "./uuid-filter.ts"

test("a filter never denies what it was given, and seldom claims what it was not", () => {
  const filter = new UuidFilter()
  const words = (uuid: string): [number, number] => [
    Number.parseInt(uuid.slice(28), 16),
    Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16),
  ]
  const given = Array.from({ length: 40_000 }, () => words(newUuid()))
  for (const key of given) {
    if (filter.growthBytes > 0) filter.grow()
    filter.add(...key)
  }
  expect(given.every((key) => filter.has(...key))).toBe(true)
  const others = Array.from({ length: 40_000 }, () => words(newUuid()))
  expect(others.filter((key) => filter.has(...key)).length).toBeLessThan(5)
})

test("each uuid counts once over days, batches, restarts and batches a crash left", async () => {
  await using place = await openFolder()
  const event = fc.record({
    number: fc.integer({ min: 0, max: 400 }),
    hour: fc.integer({ min: 0, max: 20 }),
  })
  const batches = fc.sample(fc.array(event, { minLength: 1, maxLength: 60 }), 40)
  let engine = await openEngine(place.folder)
  const sent = new Set<string>()
  for (const [index, batch] of batches.entries()) {
    const events = batch.map(({ number, hour }) => {
      sent.add(uuidOf(number))
      // Each uuid keeps to its day, which retries may leave by some hours.
      const day = String(1 + (number % 5)).padStart(2, "0")
      return eventOf(number, { timestamp: `2026-01-${day} ${String(hour).padStart(2, "0")}:30:00` })
    })
    if (index % 10 === 9) {
      await engine.prepare(batchOf(index + 1, { events }))
      await engine.close()
      engine = await openEngine(place.folder)
      for (const prepared of await engine.listPrepared("log")) await engine.append(prepared)
    } else if (index % 7 === 0) await engine.apply({ events })
    else await append(engine, index + 1, { events })
  }
  const stored = await engine.rows(
    {
      columns: [{ as: "count", expr: { kind: "aggregate", name: "count", args: [] } }],
      from: { kind: "table", table: "events", alias: "e", project_id: 1 },
    },
    { timeoutMs: 10_000 },
  )
  expect(stored).toEqual([{ count: sent.size }])
  expect(new Set((await readProperties(engine)).keys())).toEqual(sent)
  await engine.close()
})
