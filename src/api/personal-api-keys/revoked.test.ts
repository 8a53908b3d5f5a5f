import { expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

test("a key that is revoked while it asks for another gets none", async () => {
  const ana = await app.addUser()
  const { database } = app.app.services
  let made: Promise<{ status: number }> | undefined
  await database.transaction(async (db) => {
    await db`select 1 from app_user where id = ${ana.id} for no key update`
    made = app.post("/api/personal_api_keys", ana.key, { label: "more", scopes: ["*"] })
    await expect
      .poll(async () => {
        const [row] = await app.db<{ count: number }[]>`
          select count(*) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row?.count
      })
      .toBe(1)
    await db`delete from personal_api_key where user_id = ${ana.id}`
  })
  expect((await made)?.status).toBe(401)
  const keys = await app.db`select 1 from personal_api_key where user_id = ${ana.id}`
  expect(keys).toHaveLength(0)
})
