import { readdirSync } from "node:fs"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createTestDatabase } from "../../test/support/database.ts"
import { StartError } from "../lib/errors.ts"
import { packageRoot } from "../lib/package-root.ts"
import { type Database, openDatabase } from "./db.ts"
import { migrate } from "./migrate.ts"

const files = readdirSync(path.join(packageRoot, "src/relational/migrations")).sort()

async function openPools(count: number, content: "migrated" | "empty"): Promise<Database[]> {
  const made = await createTestDatabase(content)
  const pools = Array.from({ length: count }, () => openDatabase(made.address, 2))
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
    await made[Symbol.asyncDispose]()
  })
  return pools
}

async function openPool(content: "migrated" | "empty"): Promise<Database> {
  const [pool] = await openPools(1, content)
  if (pool === undefined) throw new Error("one pool was asked for")
  return pool
}

describe("migrating", () => {
  test("applies every file to an empty database, in order, once", async () => {
    const database = await openPool("empty")
    expect(await migrate(database)).toEqual(files)
    expect(await migrate(database)).toEqual([])
    const rows = await database.db<{ name: string }[]>`
      select name from schema_migration order by version`
    expect(rows.map(({ name }) => name)).toEqual(files)
  })

  test("by nodes that start together is done by one of them", async () => {
    const pools = await openPools(4, "empty")
    const applied = await Promise.all(pools.map(migrate))
    expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([files, [], [], []])
  })

  test("refuses a file that was changed after it had been applied, naming it", async () => {
    const database = await openPool("migrated")
    await database.db`update schema_migration set checksum = 'another' where version = 1`
    const error = await migrate(database).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toContain(files[0])
  })

  test("refuses a database of a newer version", async () => {
    const database = await openPool("migrated")
    await database.db`
      insert into schema_migration (version, name, checksum) values (9999, '9999_later.sql', '')`
    const error = await migrate(database).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toContain("9999")
  })

  test("that fails half-way leaves the database as it was", async () => {
    const database = await openPool("empty")
    await database.db`create table organization (id integer)`
    await expect(migrate(database)).rejects.toThrow("already exists")
    const rows = await database.db<{ table_name: string }[]>`
      select table_name from information_schema.tables where table_schema = 'public'`
    expect(rows).toEqual([{ table_name: "organization" }])
  })
})
