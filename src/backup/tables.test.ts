import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createTestDatabase } from "../../test/support/database.ts"
import { type Database, type Db, openDatabase } from "../relational/db.ts"
import { migrate, migrateUpTo } from "../relational/migrate.ts"
import {
  copyTable,
  listMigrations,
  listSequences,
  listTables,
  loadTables,
  setSequences,
} from "./tables.ts"

/** Without persons: those came with the next. */
const OLD_VERSION = 4

let folder: string
const closing: AsyncDisposable[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-tables-"))
})
afterAll(async () => {
  for (const each of closing.toReversed()) await each[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function openEmpty(): Promise<Database> {
  const made = await createTestDatabase("empty")
  const database = openDatabase(made.address, 2)
  closing.push(made, database)
  return database
}

const NAME = 'Ana\t"Moss"\\ \n\r\u2028 ünï \\N'

async function addSome(db: Db): Promise<void> {
  const id = "01000000-0000-7000-8000-000000000001"
  const mediaId = "01000000-0000-7000-8000-000000000002"
  await db`insert into organization (id, name, slug, created_at, updated_at)
           values (${id}, ${NAME}, 'ana', now(), now())`
  await db`insert into media (id, organization_id, file_name, content_type, content, created_at)
           values (${mediaId}, ${id}, '', 'image/png', ${Buffer.from([0, 255, 92, 10])}, now())`
  await db`update organization set logo_media_id = ${mediaId}`
  await db`insert into project (uuid, organization_id, name, api_token, created_at, updated_at)
           select gen_random_uuid(), ${id}, 'p' || n, 'phc_' || n, now(), now()
           from generate_series(1, 3) n`
}

test("a table of any size is copied, and the connection goes on", async () => {
  const source = await openEmpty()
  await source.db`create table large (id integer, words text)`
  await source.session(async (db) => {
    for (const count of [1, 100, 3_000, 3_001, 10_000]) {
      await db`truncate large`
      await db`insert into large select n, repeat('word ', 20 + n % 7)
               from generate_series(1, ${count}::integer) n`
      const table = { name: "large", columns: ["id", "words"], path: `large-${count}.copy` }
      await copyTable(db, table, folder)
      const lines = (await readFile(path.join(folder, table.path), "utf8")).split("\n")
      expect(lines).toHaveLength(count + 1)
      expect(await db`select count(*) from large`).toEqual([{ count }])
    }
  })
})

test("tables of an older version come back as they were, numbers go on, and migrations follow", async () => {
  const source = await openEmpty()
  await migrateUpTo(source, OLD_VERSION)
  await addSome(source.db)
  const manifest = await source.session(async (db) => {
    await db`begin transaction isolation level repeatable read read only`
    const tables = await listTables(db)
    for (const table of tables) await copyTable(db, table, folder)
    const lists = { migrations: await listMigrations(db), sequences: await listSequences(db) }
    await db`commit`
    const rest = { format: 1 as const, version: "", created_at: "", files: [] }
    return { ...rest, ...lists, tables }
  })
  expect(manifest.migrations).toHaveLength(OLD_VERSION)
  expect(manifest.tables.map(({ name }) => name)).not.toContain("schema_migration")

  const target = await openEmpty()
  await migrateUpTo(target, manifest.migrations.at(-1)?.version ?? 0)
  await target.session(async (db) => {
    await db`begin`
    await db`set local session_replication_role = replica`
    await loadTables(db, manifest, folder)
    await setSequences(db, manifest)
    await db`commit`
  })
  expect((await migrate(target)).length).toBeGreaterThan(0)
  for (const name of ["organization", "media", "project"]) {
    const read = ({ db }: Database) => db`select * from ${db(name)} order by 1`
    expect(await read(target)).toEqual(await read(source))
  }
  const [organization] = await target.db`select name from organization`
  expect(organization?.name).toBe(NAME)
  const [next] = await target.db`
    insert into project (uuid, organization_id, name, api_token, created_at, updated_at)
    select gen_random_uuid(), id, 'next', 'phc_next', now(), now() from organization returning id`
  expect(next?.id).toBe(4)
})
