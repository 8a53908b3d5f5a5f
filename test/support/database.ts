/** Databases of their own for whoever asks, on the server that the run shares. */
import { inject } from "vitest"
import { randomLetters } from "../../src/lib/ids.ts"
import { type Database, type DatabaseAddress, openDatabase } from "../../src/relational/db.ts"
import { TEMPLATE } from "./global-setup.ts"

const POOL_SIZE = 10

export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly address: DatabaseAddress
  /** On the server, beside the database: to take it away and to bring it back. */
  readonly admin: Database
}

/** Any number of pools may open it; its disposal drops it under them. */
export async function createTestDatabase(
  content: "migrated" | "empty" = "migrated",
): Promise<TestDatabase> {
  const server = inject("server")
  const name = `test_${randomLetters("abcdefghijklmnopqrstuvwxyz", 12)}`
  const admin = openDatabase(server, 1)
  await admin.db.unsafe(
    `create database ${name} template ${content === "migrated" ? TEMPLATE : "template0"}`,
  )
  return {
    name,
    admin,
    address: { options: { ...server.options, database: name } },
    async [Symbol.asyncDispose]() {
      await admin.db.unsafe(`drop database ${name} with (force)`)
      await admin.close()
    },
  }
}

/** A migrated one with its pool; closing the pool drops the database. */
export async function openTestDatabase(): Promise<Database> {
  const made = await createTestDatabase()
  const database = openDatabase(made.address, POOL_SIZE)
  const close = async () => {
    await database.close()
    await made[Symbol.asyncDispose]()
  }
  return { ...database, close, [Symbol.asyncDispose]: close }
}
