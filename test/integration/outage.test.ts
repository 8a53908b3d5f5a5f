import { afterAll, beforeAll, expect, inject, test } from "vitest"
import { type Database, openDatabase } from "../../src/relational/db.ts"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()
let admin: Database

beforeAll(() => {
  admin = openDatabase(inject("server"), 1)
})

afterAll(() => admin.close())

async function databaseName(): Promise<string> {
  const [row] = await app.db<{ name: string }[]>`select current_database() as name`
  return row?.name ?? ""
}

test("while the database is away every answer is a 503 in our shape; then all is well again", async () => {
  const { owner, url } = await app.addOrganization()
  const name = await databaseName()
  await admin.db.unsafe(`alter database ${name} with allow_connections false`)
  await admin.db`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`

  expect((await app.get("/_livez")).status).toBe(200)
  const calls = [
    ["GET", "/_readyz"],
    ["GET", url],
    ["PATCH", url],
    ["DELETE", url],
  ] as const
  for (const [method, at] of calls) {
    const { status, body, headers } = await app.call(method, at, { key: owner.key })
    expect([at, status]).toEqual([at, 503])
    expect(body).toMatchObject({ type: "server_error", code: "unavailable", attr: null })
    expect(headers.get("retry-after")).toMatch(/^\d+$/)
  }

  await admin.db.unsafe(`alter database ${name} with allow_connections true`)
  await expect.poll(async () => (await app.get("/_readyz")).status, { timeout: 5_000 }).toBe(200)
  expect((await app.patch(url, owner.key, { name: "Back" })).body.name).toBe("Back")
})
