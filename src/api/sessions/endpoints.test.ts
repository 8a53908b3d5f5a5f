import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { Browser, givePassword, openBrowser, PASSWORD } from "../../../test/support/browser.ts"
import { elapsedMs } from "../../lib/clock.ts"

const app = useTestApp()
const DAY_MS = 24 * 60 * 60 * 1_000

const WRONG = {
  type: "validation_error",
  code: "invalid_credentials",
  detail: "The e-mail or the password is wrong.",
  attr: null,
}

async function addReader(name = "ana") {
  const user = await app.addUser(name)
  await givePassword(app, user)
  return user
}

function sessionsOf(user: { id: number }) {
  return app.db`select * from session where user_id = ${user.id} order by created_at`
}

describe("signing in", () => {
  test("is open to a browser that lost its CSRF token but not its session", async () => {
    const ana = await app.addUser()
    const browser = await openBrowser(app, ana)
    browser.cookies.delete("hedgerow_csrftoken")
    expect((await browser.signIn(ana.email)).status).toBe(200)
    expect(browser.cookies.has("hedgerow_csrftoken")).toBe(true)
  })

  test("opens a session by two cookies: a signed one scripts cannot read, and the CSRF token", async () => {
    const ana = await addReader()
    const answer = await new Browser(app).signIn(ana.email)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    const [session = "", csrf = ""] = answer.headers.getSetCookie()
    expect(session).toMatch(
      /^hedgerow_session=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(csrf).toMatch(/^hedgerow_csrftoken=[\w-]{43}; Max-Age=1209600; Path=\/; SameSite=Lax$/)
  })

  test("proves who one is", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    const { status, body } = await browser.call("GET", "/api/users/@me/")
    expect([status, body.email]).toEqual([200, ana.email])
  })

  test("takes the address in any case and with spaces around it", async () => {
    const ana = await addReader()
    const { status } = await new Browser(app).signIn(`  ${ana.email.toUpperCase()} `)
    expect(status).toBe(200)
  })

  test("stores the hash of the id, never the id, and when it was", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    const rows = await sessionsOf(ana)
    expect(rows).toHaveLength(1)
    const id = decodeURIComponent(browser.cookies.get("hedgerow_session") ?? "").split(".")[0] ?? ""
    expect(id).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(id)
    expect(rows[0]?.id_hash).toMatch(/^[0-9a-f]{64}$/)
    const [user] = await app.db`select last_login from app_user where id = ${ana.id}`
    expect(user?.last_login).toBe(app.clock.now().toISOString().replace(".000Z", "Z"))
  })

  test("again in the same browser ends the session before", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    expect((await browser.signIn(ana.email)).status).toBe(200)
    expect(await sessionsOf(ana)).toHaveLength(1)
  })

  test.each(["a wrong password", "an unknown address", "no password at all", "a deactivated user"])(
    "is refused in the same words for %s",
    async (reason) => {
      const ana = await addReader()
      if (reason === "no password at all") {
        await app.db`update app_user set password_hash = null where id = ${ana.id}`
      }
      if (reason === "a deactivated user") {
        await app.db`update app_user set is_active = false where id = ${ana.id}`
      }
      const email = reason === "an unknown address" ? `no-${ana.email}` : ana.email
      const password = reason === "a wrong password" ? "hawthorn" : PASSWORD
      const browser = new Browser(app)
      const { status, body } = await browser.signIn(email, password)
      expect(status).toBe(400)
      expect(body).toEqual(WRONG)
      expect(browser.cookies.size).toBe(0)
      expect(await sessionsOf(ana)).toHaveLength(0)
    },
  )

  test("to an unknown address takes the time of a password check", async () => {
    const startMs = elapsedMs()
    await new Browser(app).signIn("nobody-at-all@example.com")
    expect(elapsedMs() - startMs).toBeGreaterThan(50)
  })

  test.each([
    [{ password: "hazel" }, "required", "email"],
    [{ email: "ana@example.com" }, "required", "password"],
    [{ email: "", password: "hazel" }, "blank", "email"],
    [{ email: "ana@example.com", password: "" }, "blank", "password"],
    [{ email: "ana@example.com", password: null }, "null", "password"],
    [{ email: 5, password: "hazel" }, "invalid_input", "email"],
    [{ email: "ana@example.com", password: "x".repeat(129) }, "max_length", "password"],
  ])("with %j is invalid", async (body, code, attr) => {
    const answer = await app.call("POST", "/api/login/", { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: "validation_error", code, attr })
  })

  test("is no GET", async () => {
    const { status, body } = await app.get("/api/login")
    expect([status, body.code]).toEqual([405, "method_not_allowed"])
  })
})

describe("guessing a password", () => {
  test("is over after ten tries, for a quarter of an hour", async () => {
    const ana = await addReader()
    const guess = () => new Browser(app).signIn(ana.email, "hawthorn")
    const guesses = await Promise.all(Array.from({ length: 12 }, guess))
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
    const refused = guesses.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ type: "throttled_error", code: "throttled", attr: null })
    expect(refused?.headers.get("retry-after")).toBe("900")
    expect((await new Browser(app).signIn(ana.email)).status).toBe(429)
    app.clock.advanceMs(15 * 60 * 1_000)
    expect((await new Browser(app).signIn(ana.email)).status).toBe(200)
  })

  test("starts over after the right one", async () => {
    const ana = await addReader()
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 9; index++) {
        expect((await new Browser(app).signIn(ana.email, "hawthorn")).status).toBe(400)
      }
      expect((await new Browser(app).signIn(ana.email)).status).toBe(200)
    }
  })
})

describe("a session", () => {
  test("ends after fourteen days, and its row goes with the next sign-in", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    app.clock.advanceMs(14 * DAY_MS - 1_000)
    expect((await browser.call("GET", "/api/users/@me")).status).toBe(200)
    app.clock.advanceMs(1_000)
    const { status, body } = await browser.call("GET", "/api/users/@me")
    expect(status).toBe(401)
    expect(body).toMatchObject({ type: "authentication_error", code: "not_authenticated" })
    await openBrowser(app, await addReader("bo"))
    expect(await sessionsOf(ana)).toHaveLength(0)
  })

  test("of a user who was deactivated is none", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    await app.db`update app_user set is_active = false where id = ${ana.id}`
    const { status, body } = await browser.call("GET", "/api/users/@me")
    expect([status, body.code]).toEqual([401, "not_authenticated"])
  })

  test("makes room for new ones: the fifty newest stay", async () => {
    const ana = await addReader()
    await app.db`
      insert into session (id_hash, user_id, csrf_token, created_at, expires_at)
      select 'old ' || n || ${ana.email}, ${ana.id}, 'token', ${app.clock.now()}::timestamptz - n * interval '1 minute',
             ${new Date(app.clock.now().getTime() + DAY_MS)}
      from generate_series(1, 60) n`
    await openBrowser(app, ana)
    const rows = await sessionsOf(ana)
    expect(rows).toHaveLength(50)
    expect(rows[0]?.id_hash).toBe(`old 49${ana.email}`)
  })
})

describe("signing out", () => {
  test("removes the session and its cookies", async () => {
    const ana = await addReader()
    const browser = await openBrowser(app, ana)
    const kept = new Map(browser.cookies)
    const { status, text } = await browser.call("POST", "/api/logout/")
    expect([status, text]).toEqual([204, ""])
    expect(browser.cookies.size).toBe(0)
    expect(await sessionsOf(ana)).toHaveLength(0)
    for (const [name, value] of kept) browser.cookies.set(name, value)
    expect((await browser.call("GET", "/api/users/@me")).status).toBe(401)
  })

  test("leaves the other sessions alone", async () => {
    const ana = await addReader()
    const [here, there] = [await openBrowser(app, ana), await openBrowser(app, ana)]
    await here.call("POST", "/api/logout")
    expect((await there.call("GET", "/api/users/@me")).status).toBe(200)
  })

  test("needs a session", async () => {
    const nobody = await app.call("POST", "/api/logout")
    expect([nobody.status, nobody.body.code]).toEqual([401, "not_authenticated"])
    const ana = await app.addUser()
    const key = await app.post("/api/logout", ana.key)
    expect(key.status).toBe(403)
    expect(key.body).toMatchObject({
      type: "authentication_error",
      code: "permission_denied",
      attr: null,
    })
  })
})
