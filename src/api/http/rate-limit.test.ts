import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openBrowser } from "../../../test/support/browser.ts"
import { MANAGEMENT_WINDOWS, RateLimiter } from "./rate-limit.ts"

const T0_MS = Date.parse("2026-03-02T10:00:00Z")

function at(seconds: number): Date {
  return new Date(T0_MS + seconds * 1_000)
}

function limited(retryAfterSeconds: number) {
  return expect.objectContaining({ kind: "limited", code: "throttled", retryAfterSeconds })
}

describe("a limiter", () => {
  test("lets a window fill, then says how long to wait", () => {
    const limiter = new RateLimiter([{ seconds: 60, requests: 2 }])
    limiter.count("ana", at(0))
    limiter.count("ana", at(10))
    expect(() => limiter.count("ana", at(20))).toThrow(limited(40))
    expect(() => limiter.count("ana", at(59.5))).toThrow(limited(1))
    expect(() => limiter.count("ana", at(60))).not.toThrow()
  })

  test("counts each caller alone", () => {
    const limiter = new RateLimiter([{ seconds: 60, requests: 1 }])
    limiter.count("ana", at(0))
    expect(() => limiter.count("bo", at(0))).not.toThrow()
    expect(() => limiter.count("ana", at(1))).toThrow(limited(59))
  })

  test("waits for the fullest of its windows", () => {
    const limiter = new RateLimiter([
      { seconds: 60, requests: 2 },
      { seconds: 3_600, requests: 3 },
    ])
    for (const seconds of [0, 1, 60]) limiter.count("ana", at(seconds))
    expect(() => limiter.count("ana", at(61))).toThrow(limited(3_539))
    expect(() => limiter.count("ana", at(3_600))).not.toThrow()
  })

  test("of API keys has room for 480 a minute and 4,800 an hour", () => {
    const limiter = new RateLimiter(MANAGEMENT_WINDOWS)
    for (let minute = 0; minute < 10; minute++) {
      for (let index = 0; index < 480; index++) limiter.count("ana", at(60 * minute))
      if (minute < 9) expect(() => limiter.count("ana", at(60 * minute))).toThrow(limited(60))
    }
    expect(() => limiter.count("ana", at(600))).toThrow(limited(3_000))
    expect(() => limiter.count("ana", at(3_600))).not.toThrow()
  })

  test("does not count what it refused", () => {
    const limiter = new RateLimiter([
      { seconds: 60, requests: 1 },
      { seconds: 3_600, requests: 2 },
    ])
    limiter.count("ana", at(0))
    for (const seconds of [1, 2, 3]) expect(() => limiter.count("ana", at(seconds))).toThrow()
    expect(() => limiter.count("ana", at(60))).not.toThrow()
  })

  test("starts over for whom it forgets", () => {
    const limiter = new RateLimiter([{ seconds: 60, requests: 1 }])
    limiter.count("ana", at(0))
    limiter.forget("ana")
    expect(() => limiter.count("ana", at(0))).not.toThrow()
  })

  test("forgets the oldest of too many callers, and nobody else", () => {
    const limiter = new RateLimiter([{ seconds: 60, requests: 1 }])
    for (let index = 0; index < 100_001; index++) limiter.count(String(index), at(0))
    expect(() => limiter.count("1", at(0))).toThrow()
    expect(() => limiter.count("0", at(0))).not.toThrow()
  })
})

/** One after the other, on one connection: faster than all at once. */
async function countOk(times: number, ask: () => Promise<{ status: number }>): Promise<number> {
  let okCount = 0
  for (let index = 0; index < times; index++) if ((await ask()).status === 200) okCount++
  return okCount
}

describe("with the limits on", () => {
  const app = useTestApp({ settings: { HEDGEROW_RATE_LIMITS: "on" } })

  test("a key has 480 requests a minute; another key of the same user is not touched", async () => {
    const ana = await app.addUser("ana", ["user:read"])
    const askMe = () => app.get("/api/users/@me", ana.key)
    expect(await countOk(480, askMe)).toBe(480)
    const { status, body, headers } = await askMe()
    expect(status).toBe(429)
    expect(body).toEqual({
      type: "throttled_error",
      code: "throttled",
      detail: "Request was throttled. Expected available in 60 seconds.",
      attr: null,
    })
    expect(headers.get("retry-after")).toBe("60")
    // What the key may never do is told first; what is not there comes after.
    expect((await app.get("/api/organizations", ana.key)).status).toBe(403)
    expect((await app.get("/api/users/somebody", ana.key)).status).toBe(429)
    const other = await app.addKey(ana.id)
    expect((await app.get("/api/users/@me", other)).status).toBe(200)
    app.clock.advanceMs(60_000)
    expect((await askMe()).status).toBe(200)
  })

  test("a session is not limited", async () => {
    const browser = await openBrowser(app, await app.addUser())
    expect(await countOk(485, () => browser.call("GET", "/api/users/@me"))).toBe(485)
  })
})

describe("with the limits off, as they are by default", () => {
  const app = useTestApp()

  test("a key may ask as often as it likes", async () => {
    const ana = await app.addUser()
    expect(await countOk(485, () => app.get("/api/users/@me", ana.key))).toBe(485)
  })
})
