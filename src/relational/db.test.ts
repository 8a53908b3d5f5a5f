import { readFile } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createTestDatabase, openTestDatabase } from "../../test/support/database.ts"
import {
  checkConnection,
  type Database,
  first,
  isOutage,
  one,
  openDatabase,
  sqlState,
  wireTime,
} from "./db.ts"

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
  await database.db`create table bed (id integer primary key, plant text not null)`
})

afterAll(() => database.close())

describe("values", () => {
  test("a time comes back as the API sends it: UTC, six digits or none", async () => {
    const { db } = database
    const rows = await db`
      select '2026-03-02 10:00:00.5+02'::timestamptz as half, '2026-03-02 10:00:00Z'::timestamptz as whole`
    expect(rows).toEqual([{ half: "2026-03-02T08:00:00.500000Z", whole: "2026-03-02T10:00:00Z" }])
  })

  test("a Date goes in with its milliseconds", async () => {
    const { db } = database
    const rows = await db`select ${new Date("2026-03-02T10:00:00.007Z")}::timestamptz as time`
    expect(rows).toEqual([{ time: "2026-03-02T10:00:00.007000Z" }])
  })

  test("the text of a time keeps microseconds", () => {
    expect(wireTime("2026-01-02 03:04:05.123456+00")).toBe("2026-01-02T03:04:05.123456Z")
    expect(wireTime("2026-01-02 03:04:05+00:00")).toBe("2026-01-02T03:04:05Z")
  })

  test("a count is a number", async () => {
    const rows = await database.db`select count(*) from generate_series(1, 3)`
    expect(rows).toEqual([{ count: 3 }])
  })

  test("text is a parameter, whatever it says", async () => {
    const text = "'; drop table bed; --"
    const rows = await database.db`select ${text} as text`
    expect(rows).toEqual([{ text }])
  })

  test("the first row may be missing, the one row may not", async () => {
    const nothing = () => database.db`select 1 where false`
    expect(await first(nothing())).toBeUndefined()
    await expect(one(nothing())).rejects.toThrow("always yields a row")
    expect(await one(database.db`select 1 as one`)).toEqual({ one: 1 })
  })
})

describe("a transaction", () => {
  test("that fails leaves nothing", async () => {
    const failing = database.transaction(async (db) => {
      await db`insert into bed values (1, 'fern')`
      throw new Error("rain")
    })
    await expect(failing).rejects.toThrow("rain")
    expect(await database.db`select 1 from bed where id = 1`).toHaveLength(0)
  })

  test("runs again from its start when PostgreSQL asks for a retry", async () => {
    let attempts = 0
    const result = await database.transaction(async (db) => {
      attempts += 1
      await db`insert into bed values (2, 'moss')`
      if (attempts < 3) await db`do $$ begin raise exception using errcode = '40001'; end $$`
      return "done"
    })
    expect([result, attempts]).toEqual(["done", 3])
    expect(await database.db`select plant from bed where id = 2`).toEqual([{ plant: "moss" }])
  })

  test("that always asks for a retry gives up", async () => {
    let attempts = 0
    const endless = database.transaction(async (db) => {
      attempts += 1
      await db`do $$ begin raise exception using errcode = '40P01'; end $$`
    })
    const error = await endless.catch((caught: unknown) => caught)
    expect([sqlState(error), attempts]).toEqual(["40P01", 4])
  })

  test("that is the victim of a deadlock is tried again, so both succeed", async () => {
    await database.db`insert into bed values (10, 'a'), (11, 'b')`
    const bothHoldOne = barrier(2)
    const swap = (mine: number, other: number) => {
      let isFirstTry = true
      return database.transaction(async (db) => {
        await db`update bed set plant = plant || '!' where id = ${mine}`
        if (isFirstTry) {
          isFirstTry = false
          await bothHoldOne()
        }
        await db`update bed set plant = plant || '?' where id = ${other}`
      })
    }
    await Promise.all([swap(10, 11), swap(11, 10)])
    const rows = await database.db`select length(plant) as length from bed where id in (10, 11)`
    expect(rows).toEqual([{ length: 3 }, { length: 3 }])
  })
})

describe("a session", () => {
  test("keeps its locks for as long as its work, and no longer", async () => {
    const tryLock = () => database.session((db) => one(db`select pg_try_advisory_lock(7) as got`))
    await database.session(async (db) => {
      await db`select pg_advisory_lock(7)`
      expect(await tryLock()).toEqual({ got: false })
    })
    expect(await tryLock()).toEqual({ got: true })
  })
})

describe("an outage", () => {
  test("is a closed port, a missing socket, an unknown host", async () => {
    expect(
      isOutage(await failureOf({ url: `postgres://ana@127.0.0.1:${await closedPort()}/x` })),
    ).toBe(true)
    expect(isOutage(await failureOf({ url: "postgres://ana@nowhere.invalid/x" }))).toBe(true)
    const options = { path: "/nowhere/.s.PGSQL.5432", user: "ana", database: "x" }
    expect(isOutage(await failureOf({ options: options as never }))).toBe(true)
  })

  test("is a database that is taken away; it ends when the database is back", async () => {
    await using made = await createTestDatabase()
    await using pool = openDatabase(made.address, 1)
    await pool.db`select 1`
    await made.admin.db.unsafe(`alter database ${made.name} with allow_connections false`)
    await made.admin.db`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = ${made.name}`
    const error = await pool.db`select 1`.catch((caught: unknown) => caught)
    expect(isOutage(error)).toBe(true)
    await made.admin.db.unsafe(`alter database ${made.name} with allow_connections true`)
    await expect.poll(() => pool.db`select 1 as one`.catch(() => [])).toEqual([{ one: 1 }])
  })

  test("is not a wrong statement, a broken rule or a missing file", async () => {
    const wrong = await database.db`select nothing`.catch((error: unknown) => error)
    expect(isOutage(wrong)).toBe(false)
    const missing = await readFile("/nowhere").catch((error: unknown) => error)
    expect(isOutage(missing)).toBe(false)
    expect(isOutage(undefined)).toBe(false)
  })

  test("at the start is one line with the address and without the password", async () => {
    const port = await closedPort()
    await using away = openDatabase({ url: `postgres://ana:hush@127.0.0.1:${port}/shop` }, 1)
    const error = await checkConnection(away, `127.0.0.1:${port}/shop`).catch((e: Error) => e)
    expect(error).toMatchObject({ name: "StartError" })
    expect(String(error)).toContain(`127.0.0.1:${port}/shop`)
    expect(String(error)).not.toContain("hush")
    expect(String(error)).not.toContain("\n")
  })
})

async function failureOf(address: Parameters<typeof openDatabase>[0]): Promise<unknown> {
  await using away = openDatabase(address, 1)
  return await away.db`select 1`.catch((error: unknown) => error)
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Resolves for all once `count` have come. */
function barrier(count: number): () => Promise<void> {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let waiting = 0
  return () => {
    waiting += 1
    if (waiting >= count) open()
    return opened
  }
}
