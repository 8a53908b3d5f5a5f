import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import { createOrganization } from "../api/organizations/store.ts"
import { createUser } from "../api/users/store.ts"
import { RecentRequests } from "../capture/recent.ts"
import { encodeRecord, type RecordHead } from "../capture/record.ts"
import { openDuckDb } from "../columnar/duckdb/engine.ts"
import type { ColumnarEngine } from "../columnar/engine.ts"
import { systemClock } from "../lib/clock.ts"
import { newUuid } from "../lib/ids.ts"
import { openLogger } from "../lib/logger.ts"
import { type Log, openLog } from "../log/log.ts"
import { PersonCache } from "../persons/cache.ts"
import {
  amongTexts,
  column,
  EVENTS,
  eventsWithPersonIds,
  personOfEvent,
  table,
} from "../query/build.ts"
import type { Database } from "../relational/db.ts"
import { IngestCounts } from "./counts.ts"
import { type Ingest, type IngestParts, startIngest } from "./loop.ts"

const logger = openLogger({ form: "json", level: "silent" })
const LIMITS = { timeoutMs: 10_000 }

let database: Database
let projectId: number

beforeAll(async () => {
  database = await openTestDatabase()
  const now = systemClock.now()
  const user = { first_name: "Ana", password_hash: null, is_email_verified: true, now }
  const ownerId = await createUser(database.db, { ...user, email: `${newUuid()}@example.com` })
  const { project } = await database.transaction((db) =>
    createOrganization(db, { name: "Acme", ownerId, now }),
  )
  projectId = project.id
  return () => database.close()
})

/** A node with its own log and columnar store; `fault` stands in for the moment of a crash. */
class Node implements AsyncDisposable {
  readonly folder: string
  readonly counts = new IngestCounts()
  log!: Log
  engine!: ColumnarEngine
  ingest!: Ingest

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<Node> {
    const node = new Node(await mkdtemp(path.join(tmpdir(), "ingest-")))
    await node.open()
    return node
  }

  async open(fault: Partial<ColumnarEngine> = {}, parts: Partial<IngestParts> = {}): Promise<void> {
    const options = { memoryBytes: 256 * 1024 ** 2, threads: 2, logger, clock: systemClock }
    const folder = path.join(this.folder, "columnar")
    this.engine = await openDuckDb({ folder, ...options })
    await this.engine.migrate()
    this.log = await openLog({ folder: path.join(this.folder, "log"), logger })
    const columnar = new Proxy(this.engine, {
      get: (engine, name) => {
        const value = (fault as Record<PropertyKey, unknown>)[name] ?? Reflect.get(engine, name)
        return typeof value === "function" ? value.bind(engine) : value
      },
    })
    this.ingest = await startIngest({
      ...{ log: this.log, database, columnar, cache: new PersonCache(), clock: systemClock },
      ...{ logger, counts: this.counts, recent: new RecentRequests() },
      quarantineFolder: path.join(this.folder, "quarantine"),
      applyChanges: async () => {},
      ...parts,
    })
  }

  async close(): Promise<void> {
    await this.ingest[Symbol.asyncDispose]()
    await this.log.close()
    await this.engine.close()
  }

  async send(...events: object[]): Promise<void> {
    await this.log.append(encodeRecord(headNow(), Buffer.from(JSON.stringify(events))))
  }

  async events(distinctId: string): Promise<readonly string[]> {
    const rows = await this.engine.rows(
      {
        columns: [
          { expr: column("e", "event"), as: "event" },
          { expr: column("e", "distinct_id"), as: "distinct_id" },
        ],
        from: table("events", "e", projectId),
      },
      LIMITS,
    )
    return rows.filter((row) => row.distinct_id === distinctId).map((row) => String(row.event))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true })
  }
}

function headNow(): RecordHead {
  return {
    ...{ project_id: projectId, received_at: Date.UTC(2026, 2, 2), ip: null, sent_at: null },
    shape: "array",
  }
}

async function person(distinctId: string) {
  const [row] = await database.db<{ version: number; properties: string }[]>`
    select p.version, p.properties::text as properties from person p
    join person_distinct_id d on d.person_id = p.id
    where d.project_id = ${projectId} and d.distinct_id = ${distinctId}`
  return row && { version: row.version, ...(JSON.parse(row.properties) as { n?: number }) }
}

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
})
