import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestDatabase } from "../../../test/support/database.ts"
import {
  DomainError,
  type ErrorKind,
  forbidden,
  unauthenticated,
  unavailable,
} from "../../lib/errors.ts"
import { type Database, openDatabase } from "../../relational/db.ts"
import { answerFor } from "./problem.ts"

const REQUEST = "0195a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"

describe("an error of a kind", () => {
  const kinds: readonly (readonly [ErrorKind, number, string])[] = [
    ["invalid", 400, "validation_error"],
    ["malformed", 400, "invalid_request"],
    ["unauthenticated", 401, "authentication_error"],
    ["forbidden", 403, "authentication_error"],
    ["not_found", 404, "invalid_request"],
    ["method_not_allowed", 405, "invalid_request"],
    ["conflict", 409, "invalid_request"],
    ["too_large", 413, "invalid_request"],
    ["unsupported_media", 415, "invalid_request"],
    ["limited", 429, "throttled_error"],
    ["unavailable", 503, "server_error"],
  ]

  test.each(kinds)("%s is %i with the type %s and exactly four keys", (kind, status, type) => {
    const error = new DomainError(kind, { code: "a_code", detail: "Words.", attr: "name" })
    const answer = answerFor(error, REQUEST)
    expect(answer.status).toBe(status)
    expect(answer.body).toStrictEqual({ type, code: "a_code", detail: "Words.", attr: "name" })
    expect(answer.isBug).toBe(false)
  })

  test("that passes says when to come back, and a 401 says how to come", () => {
    expect(answerFor(unavailable("Later.", 7), REQUEST).headers).toEqual({ "retry-after": "7" })
    const { headers } = answerFor(unauthenticated("Who?"), REQUEST)
    expect(headers["www-authenticate"]).toContain("Bearer")
    expect(answerFor(forbidden("No."), REQUEST).headers).toEqual({})
  })
})

describe("an error of the store", () => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase()
  })

  afterAll(() => database.close())

  test.each([
    ["23503", 404, "not_found"],
    ["23505", 400, "unique"],
    ["40001", 503, "unavailable"],
    ["40P01", 503, "unavailable"],
    ["53100", 503, "unavailable"],
    ["57P01", 503, "unavailable"],
    ["22012", 500, "error"],
  ])("%s is %i %s, without its own words", async (state, status, code) => {
    const raise = `do $$ begin raise exception 'hush' using errcode = '${state}'; end $$`
    const error = await database.db.unsafe(raise).catch((caught: unknown) => caught)
    const answer = answerFor(error, REQUEST)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.detail).not.toContain("hush")
  })

  test("that is not there is a 503 to be tried again", async () => {
    await using away = openDatabase({ url: "postgres://ana@127.0.0.1:1/x" }, 1)
    const error = await away.db`select 1`.catch((caught: unknown) => caught)
    const { status, headers, isBug } = answerFor(error, REQUEST)
    expect({ status, isBug }).toEqual({ status: 503, isBug: false })
    expect(headers["retry-after"]).toMatch(/^\d+$/)
  })
})

describe("a bug", () => {
  test.each([[new Error("hush")], [new TypeError("hush")], ["hush"], [null], [undefined], [{}]])(
    "%s is a 500 that names the request and nothing inside",
    (error) => {
      const answer = answerFor(error, REQUEST)
      expect(answer.isBug).toBe(true)
      expect(answer.body).toMatchObject({ type: "server_error", code: "error", attr: null })
      expect(answer.body.detail).toContain(REQUEST)
      expect(JSON.stringify(answer)).not.toContain("hush")
    },
  )
})
