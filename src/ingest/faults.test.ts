import { mkdir, readdir, truncate, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "vitest"
import {
  database,
  headNow,
  LIMITS,
  Node,
  person,
  projectId,
  useIngestProject,
} from "../../test/support/ingest-node.ts"
import { encodeRecord } from "../capture/record.ts"
import type { ColumnarEngine } from "../columnar/engine.ts"
import { newUuid } from "../lib/ids.ts"
import { amongTexts, column, EVENTS, eventsWithPersonIds, personOfEvent } from "../query/build.ts"
import type { Database } from "../relational/db.ts"

useIngestProject()

describe("ingestion that stops or is hindered", () => {
  test("that stopped before PostgreSQL had the batch does it again, once", async () => {
    await using node = await Node.make()
    await node.close()
    const id = newUuid()
    // Stops after the batch is prepared and before anything is committed.
    let isPrepared = () => {}
    const prepared = new Promise<void>((resolve) => {
      isPrepared = resolve
    })
    await node.open({
      async prepare(this: ColumnarEngine, batch) {
        await Object.getPrototypeOf(this).prepare.call(this, batch)
        isPrepared()
        throw Object.assign(new Error("no space"), { code: "ENOSPC" })
      },
    })
    await node.send({ event: "hello", distinct_id: id, properties: { $set: { n: 1 } } })
    await prepared
    expect(await person(id)).toBeUndefined()
    await node.close()

    await node.open()
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["hello"])
    expect(await person(id)).toMatchObject({ version: 1, n: 1 })
    expect(await readdir(path.join(node.folder, "columnar", "staged"))).toEqual([])
  })

  test("that stopped after PostgreSQL had the batch appends what was prepared", async () => {
    await using node = await Node.make()
    await node.close()
    const id = newUuid()
    let isAppending = () => {}
    const appending = new Promise<void>((resolve) => {
      isAppending = resolve
    })
    await node.open({
      append: () => {
        isAppending()
        return Promise.reject(new Error("killed"))
      },
    })
    await node.send(
      { event: "one", distinct_id: id, properties: { $set: { n: 1 } } },
      { event: "two", distinct_id: id, properties: { $set: { n: 2 } } },
    )
    await appending
    expect(await person(id)).toMatchObject({ version: 1, n: 2 })
    expect(await node.events(id)).toEqual([])
    await node.close()

    await node.open()
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["one", "two"])
    expect(await person(id)).toMatchObject({ version: 1, n: 2 })
  })

  test("takes a batch apart when one record cannot be taken, keeps that aside and loses nothing", async () => {
    await using node = await Node.make()
    const [before, after] = [newUuid(), newUuid()]
    await node.send({ event: "before", distinct_id: before })
    await node.log.append([Buffer.from("not a record of capture")])
    await node.send({ event: "after", distinct_id: after })
    await node.ingest.settle()
    expect(await node.events(before)).toEqual(["before"])
    expect(await node.events(after)).toEqual(["after"])
    expect(node.counts.quarantinedRecordCount).toBe(1)
    expect(await readdir(path.join(node.folder, "quarantine"))).toHaveLength(1)
  }, 30_000)

  test("stops while a store hangs on, and goes on after the next start", async () => {
    await using node = await Node.make()
    await node.close()
    const id = newUuid()
    await node.open({ append: () => Promise.reject(new Error("disk is gone")) })
    await node.send({ event: "hello", distinct_id: id })
    await node.close()
    await node.open()
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["hello"])
  })

  test("takes a commit whose answer was lost for what it is", async () => {
    await using node = await Node.make()
    const [known, anonymous] = [newUuid(), newUuid()]
    await node.send({ event: "visited", distinct_id: anonymous })
    await node.ingest.settle()
    await node.close()
    let isLost = false
    const losing: Database = {
      ...database,
      async transaction(work) {
        const answer = await database.transaction(work)
        if (!isLost) {
          isLost = true
          throw Object.assign(new Error("connection closed"), { code: "CONNECTION_CLOSED" })
        }
        return answer
      },
    }
    await node.open({}, { database: losing })
    const properties = { $anon_distinct_id: anonymous }
    await node.send(
      { event: "joined", distinct_id: known },
      { event: "$identify", distinct_id: known, properties },
    )
    await node.ingest.settle()
    expect(isLost).toBe(true)
    // All of them are one person's, the event of before the merge too.
    const owners = await node.engine.rows(
      {
        columns: [{ as: "person", expr: personOfEvent }],
        distinct: true,
        ...eventsWithPersonIds(projectId),
        where: amongTexts(column(EVENTS, "distinct_id"), [known, anonymous]),
      },
      LIMITS,
    )
    expect(owners).toHaveLength(1)
    expect(await node.events(anonymous)).toEqual(["visited"])
  })

  test("keeps nothing aside while a store is away", async () => {
    await using node = await Node.make()
    await node.close()
    let failures = 0
    await node.open({
      async prepare(this: ColumnarEngine, batch) {
        if (++failures <= 4) throw new Error("IO Error: could not write")
        return Object.getPrototypeOf(this).prepare.call(this, batch)
      },
    })
    const id = newUuid()
    await node.send({ event: "hello", distinct_id: id })
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["hello"])
    expect(node.counts.quarantinedRecordCount).toBe(0)
  })

  test("stores what is appended after the log lost its end", async () => {
    await using node = await Node.make()
    for (let count = 0; count < 5; count++) {
      await node.send({ event: "early", distinct_id: newUuid() })
    }
    await node.ingest.settle()
    await node.close()
    // Whoever copies a folder while it is written to, or a disk that lies.
    const folder = path.join(node.folder, "log")
    for (const name of await readdir(folder)) {
      if (name.endsWith(".log")) await truncate(path.join(folder, name), 0)
    }
    await node.open()
    const id = newUuid()
    await node.send({ event: "late", distinct_id: id })
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["late"])
  })

  test("tries what was kept aside again at the next start", async () => {
    await using node = await Node.make()
    const id = newUuid()
    await node.send({ event: "hello", distinct_id: id })
    await node.ingest.settle()
    await node.close()
    // As an older version that could not read it would have left it.
    const folder = path.join(node.folder, "quarantine")
    await mkdir(folder)
    const parts = encodeRecord(
      headNow(),
      Buffer.from(JSON.stringify([{ event: "kept", distinct_id: id }])),
    )
    await writeFile(path.join(folder, "log-1.record"), Buffer.concat(parts))
    await node.open()
    await node.ingest.settle()
    expect(await node.events(id)).toEqual(["hello", "kept"])
    expect(await readdir(folder)).toEqual([])
  })

  test("gives no number twice when PostgreSQL is of an earlier time than the columnar store", async () => {
    await using node = await Node.make()
    const id = newUuid()
    await node.send({ event: "hello", distinct_id: id, properties: { $set: { n: 1 } } })
    await node.ingest.settle()
    await node.close()
    const { db } = database
    await db`delete from ingest_position where log_id = ${node.log.id}`
    await db`select setval('person_id_seq', 1), setval('person_snapshot', 1)`
    await node.open()
    await node.ingest.settle()
    const taken = await node.engine.findMaxIds()
    const [next] = await db<{ person: number; snapshot: number }[]>`
      select nextval('person_id_seq') as person, nextval('person_snapshot') as snapshot`
    expect(next?.person).toBeGreaterThan(taken.person)
    expect(next?.snapshot).toBeGreaterThan(taken.snapshot)
  })
})
