import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import { createUser } from "../api/users/store.ts"
import { FixedClock } from "../lib/clock.ts"
import { sha256Hex } from "../lib/ids.ts"
import type { Database } from "../relational/db.ts"
import { planKeys } from "./keys.ts"

let database: Database
const clock = new FixedClock("2026-03-02T10:00:00Z")

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

function run(words: readonly string[], isTerminal = false): Promise<string> {
  return planKeys(words)({ database, clock, isTerminal })
}

function addUser(email: string): Promise<number> {
  const draft = { first_name: "Ana", password_hash: null, is_email_verified: true }
  return createUser(database.db, { email, ...draft, now: clock.now() })
}

describe("keys create", () => {
  test("prints the value alone, and the key works for what was asked", async () => {
    const id = await addUser("ana@example.com")
    const words = ["--email", "ANA@example.com", "--scopes", "user:read, person:write,user:read"]
    const value = await run(["create", ...words, "--label", " Nightly "])
    expect(value).toMatch(/^phx_[0-9A-Za-z]{43}$/)
    const rows = await database.db`
      select user_id, label, scopes, scoped_teams, scoped_organizations from personal_api_key
      where value_hash = ${sha256Hex(value)}`
    expect(rows).toEqual([
      {
        user_id: id,
        label: "Nightly",
        scopes: ["user:read", "person:write"],
        scoped_teams: [],
        scoped_organizations: [],
      },
    ])
  })

  test("stops at ten keys of one user", async () => {
    await addUser("bo@example.com")
    const create = () => run(["create", "--email", "bo@example.com"])
    for (let index = 0; index < 10; index++) await create()
    await expect(create()).rejects.toThrow(
      "keys create: bo@example.com has 10 keys, which is the most; revoke one first",
    )
  })

  test("is refused for somebody who is not there or deactivated", async () => {
    await expect(run(["create", "--email", "no@example.com"])).rejects.toThrow(
      "keys create: there is no user no@example.com",
    )
    const id = await addUser("gone@example.com")
    await database.db`update app_user set is_active = false where id = ${id}`
    await expect(run(["create", "--email", "gone@example.com"])).rejects.toThrow(
      "keys create: gone@example.com is deactivated",
    )
  })
})

describe("keys list", () => {
  test("is a table on a terminal, and lines of tabs for a script", async () => {
    const id = await addUser("Zoe@example.com")
    await run(["create", "--email", "zoe@example.com", "--label", "a\u001b[2Jb\tc"])
    await run([
      "create",
      "--email",
      "zoe@example.com",
      "--label",
      "Ünïcode",
      "--scopes",
      "user:read",
    ])
    await database.db`
      update personal_api_key set last_used_at = ${clock.now()} where label = 'Ünïcode'`
    const keys = await database.db`
      select id, mask_value from personal_api_key where user_id = ${id} order by label`
    const [first, second] = keys
    const lines = (await run(["list"])).split("\n").filter((line) => line.includes("Zoe@"))
    expect(lines.sort()).toEqual(
      [
        `${first?.id}\t${first?.mask_value}\tZoe@example.com\ta [2Jb c\t*\tnever`,
        `${second?.id}\t${second?.mask_value}\tZoe@example.com\tÜnïcode\tuser:read\t2026-03-02T10:00:00Z`,
      ].sort(),
    )
    const [heading = "", ...rows] = (await run(["list"], true)).split("\n")
    expect(heading).toMatch(/^ID +KEY +USER +LABEL +SCOPES +LAST USED$/)
    const column = heading.indexOf("SCOPES")
    const scopes = rows
      .filter((row) => row.includes("Zoe@"))
      .map((row) => row.slice(column, column + 2))
    expect(scopes.sort()).toEqual(["* ", "us"])
  })

  test("says so on a terminal when there are none", async () => {
    await using empty = await openTestDatabase()
    const surroundings = { database: empty, clock }
    expect(await planKeys(["list"])({ ...surroundings, isTerminal: true })).toBe(
      "There are no keys.",
    )
    expect(await planKeys(["list"])({ ...surroundings, isTerminal: false })).toBe("")
  })
})

describe("keys revoke", () => {
  test("ends one key", async () => {
    await addUser("cy@example.com")
    await run(["create", "--email", "cy@example.com"])
    const [row] = await database.db`
      select k.id from personal_api_key k join app_user u on u.id = k.user_id
      where u.email = 'cy@example.com'`
    expect(await run(["revoke", row?.id])).toBe(`revoked ${row?.id}`)
    await expect(run(["revoke", row?.id])).rejects.toThrow(
      `keys revoke: there is no key with the id "${row?.id}"`,
    )
  })
})

describe("wrong words", () => {
  test.each([
    [[], 'keys: use create, list or revoke, not ""'],
    [["drop"], 'keys: use create, list or revoke, not "drop"'],
    [["toString"], 'keys: use create, list or revoke, not "toString"'],
    [["create"], "keys create: --email says whose key it is"],
    [
      ["create", "--email", "a@example.com", "--label", " "],
      "--label must have 1 to 40 characters",
    ],
    [["create", "--email", "a@example.com", "--scopes", "tree:read"], 'unknown scope "tree:read"'],
    [["create", "--email", "a@example.com", "--scopes", ""], 'unknown scope ""'],
    [["create", "--colour", "red"], "--colour"],
    [["list", "all"], "all"],
    [["revoke"], "keys revoke: name one key"],
    [["revoke", "a", "b"], "keys revoke: name one key"],
  ])("%j are told before anything is opened", (words, message) => {
    expect(() => planKeys(words)).toThrow(message)
  })
})
