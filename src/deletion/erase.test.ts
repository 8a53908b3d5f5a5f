/** On a server of its own: the files of the shared one hold other tests' rows. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { settings } from "../../test/support/bundled-server.ts"
import { connectionOptions, openBundledPostgres } from "../relational/bundled.ts"
import { openDatabase } from "../relational/db.ts"
import { migrate } from "../relational/migrate.ts"
import { eraseDeadRows } from "./erase.ts"

const run = promisify(execFile)

async function filesWith(text: string, folder: string): Promise<string[]> {
  try {
    const { stdout } = await run("grep", ["-rlaF", text, folder])
    return stdout.trim().split("\n")
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return []
    throw error
  }
}

test("deleted persons are in no file of the server afterwards, and the others are all there", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "erase-"))
  await using server = await openBundledPostgres({ folder, settings })
  await using database = openDatabase({ options: { ...connectionOptions(server) } as never }, 2)
  await migrate(database)
  const { db } = database
  const add = (projectId: number, name: string) => db`
    with added as (
      insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
      select ${projectId}, gen_random_uuid(), json_build_object('email', ${name}::text || i), false, now(), i
      from generate_series(1, 3000) i returning id, project_id)
    insert into person_distinct_id (project_id, distinct_id, person_id)
    select project_id, ${name}::text || 'id' || id, id from added`
  await add(1, "goneaway")
  // So that segments of the log wait to be used again.
  for (let round = 0; round < 4; round++) {
    await db`select pg_switch_wal()`
    await db`checkpoint`
  }
  await add(1, "goneaway")
  await add(2, "staying")
  await db`analyze`
  await db`delete from person where project_id = 1`
  await db`vacuum`
  await db`checkpoint`
  expect(await filesWith("goneaway", folder)).not.toEqual([])

  await database.session(eraseDeadRows)

  expect(await filesWith("goneaway", folder)).toEqual([])
  expect(await db`select count(*)::integer as count from person`).toEqual([{ count: 3000 }])
  expect(await filesWith("staying", folder)).not.toEqual([])
  expect(await db`show wal_recycle`).toEqual([{ wal_recycle: "on" }])
  await database.close()
  await server.close()
  await rm(folder, { recursive: true })
})
