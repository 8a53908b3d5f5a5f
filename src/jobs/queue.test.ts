import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { createTestDatabase, type TestDatabase } from "../../test/support/database.ts"
import { elapsedMs } from "../lib/clock.ts"
import { openLogger } from "../lib/logger.ts"
import { type Database, openDatabase } from "../relational/db.ts"
import { GiveUp, type OpenQueue, openQueue, type Task } from "./queue.ts"

const logger = openLogger({ form: "json", level: "silent" })
/** Long enough for a worker to look several times. */
const A_WHILE_MS = 250

interface Diary {
  readonly entries: string[]
}

const water: Task<Diary, { plant: string }> = {
  name: "water",
  payload: z.object({ plant: z.string() }),
  async run({ entries }, { plant }) {
    entries.push(plant)
    if (plant === "cactus") throw new GiveUp("cactuses are not watered")
    if (plant === "rose" && entries.filter((entry) => entry === "rose").length === 1) {
      throw new Error("the can is empty")
    }
    if (plant === "oak") await sleep(500)
  },
}

interface Garden {
  readonly database: Database
  readonly queue: OpenQueue
  readonly made: TestDatabase
}

async function openGarden(options: { maintenanceSeconds?: number } = {}): Promise<Garden> {
  const made = await createTestDatabase("empty")
  onTestFinished(() => made[Symbol.asyncDispose]())
  return { made, ...(await openNode(made, options)) }
}

/** One more node on the same store. */
async function openNode(made: TestDatabase, options: { maintenanceSeconds?: number } = {}) {
  const database = openDatabase(made.address, 4)
  const queue = await openQueue({
    ...{ database, logger, tasks: [water], pollSeconds: 0.05 },
    ...options,
  })
  onTestFinished(async () => {
    await queue[Symbol.asyncDispose]()
    await database.close()
  })
  return { database, queue }
}

function statesOf({ db }: Database) {
  return db<{ plant: string; state: string; retry_count: number }[]>`
    select data->>'plant' as plant, state, retry_count from jobs.job order by created_on, id`
}

/** As if the time of the job's next try had come. */
function hurry({ db }: Database) {
  return db`update jobs.job set start_after = now() - interval '1 second' where state = 'retry'`
}

describe("a job", () => {
  test("of a transaction that is rolled back never runs", async () => {
    const { database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    queue.work([water], diary)
    const failing = database.transaction(async (db) => {
      await queue.enqueue(db, "water", { plant: "fern" })
      throw new Error("rain")
    })
    await expect(failing).rejects.toThrow("rain")
    await sleep(A_WHILE_MS)
    expect(diary.entries).toEqual([])
    expect(await statesOf(database)).toEqual([])
  })

  test("of a committed transaction runs once, however many nodes work", async () => {
    const { made, database, queue } = await openGarden()
    const other = await openNode(made)
    const diary: Diary = { entries: [] }
    queue.work([water], diary)
    other.queue.work([water], diary)
    const plants = Array.from({ length: 20 }, (_, index) => `fern ${index}`)
    await database.transaction(async (db) => {
      for (const plant of plants) await queue.enqueue(db, "water", { plant })
    })
    await expect.poll(() => statesOf(database), { timeout: 5_000 }).toSatisfy(areAllCompleted)
    expect(diary.entries.toSorted()).toEqual(plants.toSorted())
  })

  test("that fails is tried again later, and does not repeat its neighbours", async () => {
    const { database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    await enqueueAll(queue, database, ["fern", "rose", "moss"])
    queue.work([water], diary)
    await expect.poll(() => stateOf(database, "rose")).toBe("retry")
    await sleep(A_WHILE_MS)
    expect(diary.entries.toSorted()).toEqual(["fern", "moss", "rose"])
    await hurry(database)
    await expect.poll(() => stateOf(database, "rose")).toBe("completed")
    expect(diary.entries.toSorted()).toEqual(["fern", "moss", "rose", "rose"])
  })

  test("that gives up is not tried again", async () => {
    const { database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    await enqueueAll(queue, database, ["cactus"])
    queue.work([water], diary)
    await expect.poll(() => stateOf(database, "cactus")).toBe("cancelled")
    expect(diary.entries).toEqual(["cactus"])
  })

  test("whose payload is not the task's is not run at all", async () => {
    const { database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    await queue.enqueue(database.db, "water", { plant: 5 })
    queue.work([water], diary)
    await expect.poll(() => stateOf(database, "5")).toBe("cancelled")
    expect(diary.entries).toEqual([])
  })

  test("for a task that does not exist is a bug, and is told at once", async () => {
    const { database, queue } = await openGarden()
    await expect(queue.enqueue(database.db, "prune", {})).rejects.toThrow('no task "prune"')
  })
})

describe("what a dead node leaves", () => {
  test("is done by another once the job's time is over", async () => {
    const { database, queue } = await openGarden({ maintenanceSeconds: 1 })
    await enqueueAll(queue, database, ["fern"])
    await database.db`
      update jobs.job set state = 'active', started_on = now() - interval '6 minutes'`
    const diary: Diary = { entries: [] }
    queue.work([water], diary)
    await expect.poll(() => stateOf(database, "fern"), { timeout: 5_000 }).toBe("retry")
    await hurry(database)
    await expect.poll(() => stateOf(database, "fern")).toBe("completed")
    expect(diary.entries).toEqual(["fern"])
  })

  test("is left alone while its time is not over", async () => {
    const { database, queue } = await openGarden({ maintenanceSeconds: 1 })
    await enqueueAll(queue, database, ["fern"])
    await database.db`update jobs.job set state = 'active', started_on = now()`
    await sleep(1_500)
    expect(await stateOf(database, "fern")).toBe("active")
  })

  test("and what is long done does not stay for ever", async () => {
    const { database, queue } = await openGarden({ maintenanceSeconds: 1 })
    await enqueueAll(queue, database, ["fern", "moss"])
    await database.db`
      update jobs.job set state = 'completed', completed_on = now() - interval '13 hours'`
    await expect.poll(() => statesOf(database), { timeout: 5_000 }).toEqual([])
    await database.db`update jobs.archive set archived_on = now() - interval '8 days'`
    const archived = () => database.db`select 1 from jobs.archive`
    await expect.poll(archived, { timeout: 5_000 }).toHaveLength(0)
  })
})

describe("the queue", () => {
  test("can be opened by many nodes at once on an empty store", async () => {
    await using made = await createTestDatabase("empty")
    const nodes = Array.from({ length: 5 }, () => openDatabase(made.address, 3))
    const tasks = ["water", "prune", "harvest"].map((name) => ({ name }))
    const queues = await Promise.all(
      nodes.map((database) => openQueue({ database, logger, tasks })),
    )
    for (const [index, { db }] of nodes.entries()) {
      await queues[index]?.enqueue(db, "harvest", {})
      expect(await db`select name from jobs.queue order by name`).toHaveLength(3)
    }
    await Promise.all(queues.map((queue) => queue[Symbol.asyncDispose]()))
    await Promise.all(nodes.map((database) => database.close()))
  })

  test("closes at once when idle", async () => {
    await using made = await createTestDatabase("empty")
    await using database = openDatabase(made.address, 3)
    const queue = await openQueue({ database, logger, tasks: [{ name: "water" }] })
    queue.work([water], { entries: [] })
    await sleep(50)
    const startMs = elapsedMs()
    await queue[Symbol.asyncDispose]()
    expect(elapsedMs() - startMs).toBeLessThan(2_000)
  })

  test("waits for the job at work when it closes, and takes no other", async () => {
    const { made, database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    const leaving = await openNode(made)
    await enqueueAll(queue, database, ["oak"])
    leaving.queue.work([water], diary)
    await expect.poll(() => diary.entries).toEqual(["oak"])
    await enqueueAll(queue, database, ["fern"])
    await leaving.queue[Symbol.asyncDispose]()
    expect(await stateOf(database, "oak")).toBe("completed")
    expect(await stateOf(database, "fern")).toBe("created")
  })

  test("outlives a store that goes away under a job", async () => {
    const { made, database, queue } = await openGarden()
    const diary: Diary = { entries: [] }
    await enqueueAll(queue, database, ["oak"])
    queue.work([water], diary)
    await expect.poll(() => diary.entries).toEqual(["oak"])
    await made.admin.db.unsafe(`alter database ${made.name} with allow_connections false`)
    await made.admin.db`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = ${made.name}`
    await sleep(700)
    await made.admin.db.unsafe(`alter database ${made.name} with allow_connections true`)
    await expect.poll(() => tryEnqueue(queue, database, "fern"), { timeout: 5_000 }).toBe(true)
    await expect.poll(() => diary.entries, { timeout: 5_000 }).toContain("fern")
    // Settled before the store went, or left for maintenance to hand out again: never failed, never lost.
    expect(["active", "completed"]).toContain(await stateOf(database, "oak"))
  })
})

async function enqueueAll(queue: OpenQueue, { db }: Database, plants: readonly string[]) {
  for (const plant of plants) await queue.enqueue(db, "water", { plant })
}

async function tryEnqueue(queue: OpenQueue, { db }: Database, plant: string): Promise<boolean> {
  try {
    await queue.enqueue(db, "water", { plant })
    return true
  } catch {
    return false
  }
}

async function stateOf(database: Database, plant: string): Promise<string | undefined> {
  return (await statesOf(database)).find((job) => job.plant === plant)?.state
}

function areAllCompleted(jobs: readonly { state: string }[]): boolean {
  return jobs.every(({ state }) => state === "completed")
}
