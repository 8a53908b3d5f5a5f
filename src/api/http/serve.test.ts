import { describe, expect, test } from "vitest"
import { z } from "zod"
import { useTestApp } from "../../../test/support/app.ts"
import { useSmallServer } from "../../../test/support/small-server.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { anyone, inOrganization, signedIn } from "./access.ts"
import { endpoint } from "./endpoint.ts"

const app = useTestApp()
const shared = { tag: "Test", summary: "For a test.", scope: null } as const
const Plant = z.object({ name: z.string() })
const Transactions = z.object({ outside: z.array(z.int()), inside: z.array(z.int()) })

/** How often each plant's handler ran. */
const runs = new Map<string, number>()

function countRun(name: string): number {
  const count = (runs.get(name) ?? 0) + 1
  runs.set(name, count)
  return count
}

const plant = endpoint({
  ...{ ...shared, name: "plant", method: "POST", path: "/api/plants", access: anyone },
  ...{ body: Plant, reply: Plant, status: 201 },

  async handle({ db, body: { name }, setCookie }) {
    const run = countRun(name)
    setCookie({ name: `run_${run}`, value: name, isReadableByScript: true })
    await db`insert into plant (name) values (${name})`
    if (name === "weed") throw invalid("Weeds are not planted.", "name")
    if (name === "bug") throw new Error("hush")
    if (name === "fern" && run < 3) {
      await db`do $$ begin raise exception using errcode = '40001'; end $$`
    }
    if (name === "moss") await db`do $$ begin raise exception using errcode = '40P01'; end $$`
    return { name }
  },
})

const remove = endpoint({
  ...{
    ...shared,
    name: "plant_remove",
    method: "DELETE",
    path: "/api/plants/:name",
    access: anyone,
  },
  reply: null,

  async load({ db, params }) {
    const rows = await db`select 1 from plant where name = ${params.name}`
    if (rows.length === 0) throw notFound()
  },
  async handle({ db, params }) {
    await db`delete from plant where name = ${params.name}`
    return null
  },
})

const rename = endpoint({
  ...{
    ...shared,
    name: "plant_rename",
    method: "PATCH",
    path: "/api/plants/:name",
    access: anyone,
  },
  ...{ body: Plant, reply: Plant },

  async load({ params }) {
    if (params.name !== "rose") throw notFound()
    return countRun("load of rose")
  },
  handle: async ({ body }) => body,
})

const fetched = endpoint({
  ...{ ...shared, name: "fetch", method: "POST", path: "/api/fetches", access: signedIn() },
  reply: Transactions,

  load: async () => countRun("load of a fetch"),
  outside: async ({ db }) => [await transactionOf(db), await transactionOf(db)],
  async handle({ db, brought }) {
    return { outside: brought, inside: [await transactionOf(db), await transactionOf(db)] }
  },
})

const locked = endpoint({
  ...{ ...shared, name: "lock", method: "POST", path: "/api/organizations/:organization_id/locks" },
  ...{ access: inOrganization("admin"), lock: "organization", reply: z.object({ level: z.int() }) },

  handle: async ({ organization }) => ({ level: organization.level }),
})

const echo = endpoint({
  ...{ ...shared, name: "echo", method: "GET", path: "/api/echo", access: anyone },
  query: z.object({ text: z.string().optional() }),
  reply: z.object({ text: z.string().nullable() }),

  handle: async ({ query }) => ({ text: query.text ?? null }),
})

async function transactionOf(db: typeof app.db): Promise<number> {
  const [row] = await db<{ id: number }[]>`select pg_current_xact_id()::text::int as id`
  return row?.id ?? 0
}

const call = useSmallServer(app, [plant, remove, rename, fetched, locked, echo])

async function plantOf(name: string) {
  await app.db`create table if not exists plant (name text)`
  const { status, body, headers } = await call("POST", "/api/plants", { body: { name } })
  const rows = await app.db`select name from plant where name = ${name}`
  return { status, body, cookies: headers.getSetCookie(), count: rows.length }
}

describe("a request that writes", () => {
  test("and then fails leaves nothing, and sets no cookie", async () => {
    expect(await plantOf("weed")).toMatchObject({ status: 400, cookies: [], count: 0 })
    expect(await plantOf("bug")).toMatchObject({ status: 500, cookies: [], count: 0 })
  })

  test("is run again when the store asks for it, and counts once", async () => {
    const { status, count, cookies } = await plantOf("fern")
    expect({ status, count, runs: runs.get("fern") }).toEqual({ status: 201, count: 1, runs: 3 })
    expect(cookies).toEqual([expect.stringMatching(/^run_3=fern; Path=\/; SameSite=Lax$/)])
  })

  test("is given up when the store never lets it pass", async () => {
    const { status, body, count } = await plantOf("moss")
    expect({ status, count, runs: runs.get("moss") }).toEqual({ status: 503, count: 0, runs: 4 })
    expect(body).toMatchObject({ type: "server_error", code: "unavailable", attr: null })
  })

  test("may have nothing to say", async () => {
    await plantOf("ivy")
    const { status, text } = await call("DELETE", "/api/plants/ivy/")
    expect([status, text]).toEqual([204, ""])
    expect((await call("DELETE", "/api/plants/ivy/")).status).toBe(404)
  })

  test("of an object that is not there is a 404, however wrong the body", async () => {
    expect((await call("PATCH", "/api/plants/tulip", { body: "{" })).status).toBe(404)
    expect((await call("PATCH", "/api/plants/rose", { body: {} })).status).toBe(400)
  })
})

describe("slow work outside", () => {
  test("holds no transaction; the rest is one, and the object is looked for again", async () => {
    const { key } = await app.addUser()
    const { status, body } = await call("POST", "/api/fetches", { key })
    expect(status).toBe(200)
    const { outside, inside } = Transactions.parse(body)
    expect(outside[0]).not.toBe(outside[1])
    expect(inside[0]).toBe(inside[1])
    expect(runs.get("load of a fetch")).toBe(2)
  })
})

describe("a lock on the organization", () => {
  /** Calls while somebody else holds the lock, and lets them change something before they leave. */
  async function callBehind(
    change: (id: string, userId: number) => Promise<unknown>,
    current = false,
  ) {
    const { id } = await app.addOrganization()
    const admin = await app.addMember(id, "admin")
    const url = `/api/organizations/${current ? "@current" : id}/locks`
    const { answer } = await app.app.services.database.transaction(async (db) => {
      await db`select 1 from organization where id = ${id} for no key update`
      const waiting = call("POST", url, { key: admin.key })
      await expect.poll(isSomebodyWaiting, { interval: 20 }).toBe(true)
      await change(id, admin.id)
      // In an object: a promise that is returned bare would be waited for inside the transaction.
      return { answer: waiting }
    })
    const { status, body } = await answer
    return { id, status, body }
  }

  async function isSomebodyWaiting(): Promise<boolean> {
    const rows = await app.db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return rows.length > 0
  }

  test("is waited for", async () => {
    const { status, body } = await callBehind(async () => {})
    expect([status, body]).toEqual([200, { level: 8 }])
  })

  test("makes the caller's rights be looked at again", async () => {
    const demoted = await callBehind(
      (_id, userId) => app.db`update membership set level = 1 where user_id = ${userId}`,
    )
    expect([demoted.status, demoted.body.code]).toEqual([403, "permission_denied"])
    const removed = await callBehind(
      (_id, userId) => app.db`delete from membership where user_id = ${userId}`,
    )
    expect(removed.status).toBe(403)
  })

  test("makes the key be looked at again", async () => {
    const { status } = await callBehind(
      (_id, userId) => app.db`delete from personal_api_key where user_id = ${userId}`,
    )
    expect(status).toBe(401)
  })

  test("is for the organization that was meant, also when the current one changes", async () => {
    const other = await app.addOrganization()
    const { status, body } = await callBehind(async (_id, userId) => {
      await app.db`
        insert into membership (id, organization_id, user_id, level, joined_at, updated_at)
        values (gen_random_uuid(), ${other.id}, ${userId}, 15, now(), now())`
      await app.db`
        update app_user set current_organization_id = ${other.id} where id = ${userId}`
    }, true)
    expect([status, body]).toEqual([200, { level: 8 }])
  })
})

describe("a query", () => {
  test("is checked like a body", async () => {
    const { status, body } = await call("GET", "/api/echo?text=a%00b")
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "invalid_input", attr: "text" })
    expect((await call("GET", "/api/echo?text=a&text=b")).body).toMatchObject({ attr: "text" })
  })

  test("that cannot be decoded is taken as it is written", async () => {
    const { status, body } = await call("GET", "/api/echo?text=%ed%a0%80")
    expect([status, body]).toEqual([200, { text: "%ed%a0%80" }])
  })
})
