import { rm } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import {
  database,
  Node,
  person,
  projectId,
  useIngestProject,
} from "../../test/support/ingest-node.ts"
import type { ColumnarEngine } from "../columnar/engine.ts"
import { newUuid } from "../lib/ids.ts"

useIngestProject()

describe("ingestion", () => {
  test("stores what was appended, in both stores", async () => {
    await using node = await Node.make()
    const id = newUuid()
    await node.send({ event: "hello", distinct_id: id, properties: { $set: { n: 1 } } })
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["hello"])
    expect(await person(id)).toMatchObject({ version: 1, n: 1 })
    expect(node.counts.storedEventCount).toBe(1)
  })

  test("runs a batch again when a person changes under it", async () => {
    await using node = await Node.make()
    const id = newUuid()
    await node.send({ event: "first", distinct_id: id, properties: { $set: { n: 1 } } })
    await node.ingest.settle()
    // Behind the back of the cache, as another node would.
    await database.db`
      update person set version = version + 1, properties = '{"n": 5, "other": true}'
      where project_id = ${projectId} and id =
        (select person_id from person_distinct_id where distinct_id = ${id})`
    await node.send({ event: "second", distinct_id: id, properties: { $set: { n: 6 } } })
    await node.ingest.settle()
    expect(await person(id)).toMatchObject({ version: 3, n: 6, other: true })
    expect(await node.events(id)).toEqual(["first", "second"])
    expect(node.counts.conflictCount).toBe(1)
  })

  test("does idle work between batches, with both stores at the same position", async () => {
    await using node = await Node.make()
    await node.send({ event: "hello", distinct_id: newUuid() })
    const seen = await node.ingest.whileIdle(async () => ({
      columnar: await node.engine.findPosition(node.log.id),
      stored: node.ingest.position(),
    }))
    expect(seen.columnar ?? 0).toBe(seen.stored)
    await node.ingest.settle()
  })

  test("empties the log of what is stored", async () => {
    await using node = await Node.make()
    await node.send({ event: "hello", distinct_id: newUuid() })
    await node.ingest.emptyLog()
    expect(node.log.start()).toBe(node.log.end())
  })

  test("goes on while others keep it busy between batches", async () => {
    await using node = await Node.make()
    let isDone = false
    const busy = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isDone) {
          await node.ingest.whileIdle(() => new Promise((resolve) => setTimeout(resolve, 5)))
        }
      }),
    )
    const id = newUuid()
    await node.send({ event: "hello", distinct_id: id })
    await node.ingest.settle()
    isDone = true
    await busy
    expect(await node.events(id)).toEqual(["hello"])
  })

  test("applies changes that wait before it takes the first batch, and after what was prepared", async () => {
    await using node = await Node.make()
    await node.close()
    const steps: string[] = []
    await node.open(
      {
        append(this: ColumnarEngine, prepared) {
          steps.push("append")
          return Object.getPrototypeOf(this).append.call(this, prepared)
        },
      },
      { applyChanges: async () => void steps.push("changes") },
    )
    await node.send({ event: "hello", distinct_id: newUuid() })
    await node.ingest.settle()
    expect(steps.slice(0, 2)).toEqual(["changes", "append"])
  })

  test("whoever waits for it is told when it stops", async () => {
    const node = await Node.make()
    await node.close()
    await node.open({ append: () => Promise.reject(new Error("disk is gone")) })
    await node.send({ event: "hello", distinct_id: newUuid() })
    const waiting = expect(node.ingest.settle()).rejects.toThrow("stopped")
    await node.close()
    await waiting
    await expect(node.ingest.whileIdle(async () => {})).rejects.toThrow("stopped")
    await rm(node.folder, { recursive: true })
  })
})
