import { expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import { FixedClock } from "../lib/clock.ts"
import { openLogger } from "../lib/logger.ts"
import type { Db } from "../relational/db.ts"
import { enqueueDue } from "./scheduler.ts"

const logger = openLogger({ form: "json", level: "silent" })
const DAY_MS = 24 * 60 * 60 * 1_000

test("a task is enqueued once for each due time, however many look; a missed time is made up for, once", async () => {
  await using database = await openTestDatabase()
  const clock = new FixedClock("2026-03-01T04:00:00Z")
  const enqueued: string[] = []
  const queue = {
    async enqueue(_db: Db, name: string) {
      enqueued.push(`${name} ${clock.now().toISOString()}`)
    },
  }
  const schedules = [{ task: "water", cron: "0 5 * * *" }]
  const look = () => enqueueDue({ database, queue, clock, logger, schedules })

  // The first look only notes where the schedule stands.
  await look()
  expect(enqueued).toEqual([])
  clock.advanceMs(2 * 60 * 60 * 1_000)
  await Promise.all([look(), look(), look()])
  expect(enqueued).toEqual(["water 2026-03-01T06:00:00.000Z"])
  clock.advanceMs(5 * DAY_MS)
  await look()
  await look()
  expect(enqueued).toHaveLength(2)
})
