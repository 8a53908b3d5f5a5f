/** A fresh, migrated database of its own for whoever asks, on the server that the run shares. */
import { inject } from "vitest"
import { randomLetters } from "../../src/lib/ids.ts"
import { type Database, openDatabase } from "../../src/relational/db.ts"
import { TEMPLATE } from "./global-setup.ts"

const POOL_SIZE = 10

export async function openTestDatabase(): Promise<Database> {
  const server = inject("server")
  const name = `test_${randomLetters("abcdefghijklmnopqrstuvwxyz", 12)}`
  const admin = openDatabase(server, 1)
  await admin.db.unsafe(`create database ${name} template ${TEMPLATE}`)
  const database = openDatabase({ options: { ...server.options, database: name } }, POOL_SIZE)
  const close = async () => {
    await database.close()
    await admin.db.unsafe(`drop database ${name} with (force)`)
    await admin.close()
  }
  return { ...database, close, [Symbol.asyncDispose]: close }
}
