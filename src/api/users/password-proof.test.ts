import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { Browser, givePassword, openBrowser, PASSWORD } from "../../../test/support/browser.ts"

const app = useTestApp()
const ME = "/api/users/@me/"
const NEW_PASSWORD = "hawthorn & hazel"

describe("the password", () => {
  test("is changed with the current one; only the session that did it stays", async () => {
    const ana = await app.addUser()
    const [here, there] = [await openBrowser(app, ana), await openBrowser(app, ana)]
    const body = { current_password: PASSWORD, password: NEW_PASSWORD }
    const answer = await here.call("PATCH", ME, { body })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain("hawthorn")
    expect((await here.call("GET", ME)).status).toBe(200)
    expect((await there.call("GET", ME)).status).toBe(401)
    expect((await new Browser(app).signIn(ana.email)).status).toBe(400)
    expect((await new Browser(app).signIn(ana.email, NEW_PASSWORD)).status).toBe(200)
    const [entry] = await app.db`select detail from activity_log where user_id = ${ana.id}`
    expect(entry?.detail.changes).toEqual([
      { type: "User", action: "changed", field: "password", before: null, after: null },
    ])
  })

  test("changed with a key ends every session", async () => {
    const ana = await app.addUser()
    const browser = await openBrowser(app, ana)
    const body = { current_password: PASSWORD, password: NEW_PASSWORD }
    expect((await app.patch(ME, ana.key, body)).status).toBe(200)
    expect((await browser.call("GET", ME)).status).toBe(401)
  })

  test.each([
    [{ password: NEW_PASSWORD }, "required", "current_password"],
    [
      { password: NEW_PASSWORD, current_password: "wrong" },
      "incorrect_password",
      "current_password",
    ],
    [{ password: "short", current_password: PASSWORD }, "password_too_short", "password"],
    [{ password: "password123", current_password: PASSWORD }, "password_too_common", "password"],
    [{ password: null, current_password: PASSWORD }, "null", "password"],
  ])("is not changed by %j", async (body, code, attr) => {
    const ana = await app.addUser()
    await givePassword(app, ana)
    const answer = await app.patch(ME, ana.key, { ...body, first_name: "Bo" })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ type: "validation_error", code, attr })
    expect((await app.get(ME, ana.key)).body.first_name).toBe("ana")
    expect((await new Browser(app).signIn(ana.email)).status).toBe(200)
  })

  test("of an account that has none cannot be set with a key", async () => {
    const ana = await app.addUser()
    const { status, body } = await app.patch(ME, ana.key, {
      password: NEW_PASSWORD,
      current_password: "",
    })
    expect([status, body.code]).toEqual([400, "incorrect_password"])
    expect((await app.get(ME, ana.key)).body.has_password).toBe(false)
  })

  test("is guessed here and at the sign-in no more than ten times together", async () => {
    const ana = await app.addUser()
    await givePassword(app, ana)
    for (let index = 0; index < 5; index++) {
      await new Browser(app).signIn(ana.email, "wrong")
      await app.patch(ME, ana.key, { password: NEW_PASSWORD, current_password: "wrong" })
    }
    const { status, body } = await app.patch(ME, ana.key, {
      password: NEW_PASSWORD,
      current_password: PASSWORD,
    })
    expect([status, body.code]).toEqual([429, "throttled"])
    expect((await new Browser(app).signIn(ana.email)).status).toBe(429)
  })

  test("changed twice at once ends with one of the two, the other is told", async () => {
    const ana = await app.addUser()
    await givePassword(app, ana)
    const passwords = [NEW_PASSWORD, "blackthorn & rose"]
    const answers = await Promise.all(
      passwords.map((password) => app.patch(ME, ana.key, { password, current_password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)]
    expect((await new Browser(app).signIn(ana.email, winner)).status).toBe(200)
  })
})

describe("the e-mail", () => {
  test("is changed with the current password, and is then unverified", async () => {
    const ana = await app.addUser()
    await givePassword(app, ana)
    const email = `new-${ana.email}`
    const { status, body } = await app.patch(ME, ana.key, { email, current_password: PASSWORD })
    expect(status).toBe(200)
    expect(body).toMatchObject({ email, is_email_verified: null })
    expect((await new Browser(app).signIn(email)).status).toBe(200)
  })

  test("needs the current password, unless it stays the same", async () => {
    const ana = await app.addUser()
    const same = await app.patch(ME, ana.key, { email: ana.email })
    expect([same.status, same.body.is_email_verified]).toEqual([200, true])
    const { status, body } = await app.patch(ME, ana.key, { email: `new-${ana.email}` })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: "required", attr: "current_password" })
  })

  test("of somebody else is refused, whatever its case", async () => {
    const [ana, bo] = [await app.addUser("ana"), await app.addUser("bo")]
    await givePassword(app, ana)
    const { status, body } = await app.patch(ME, ana.key, {
      email: bo.email.toUpperCase(),
      current_password: PASSWORD,
      first_name: "Bo",
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "unique", attr: "email" })
    expect((await app.get(ME, ana.key)).body.first_name).toBe("ana")
  })
})
