import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openBrowser } from "../../../test/support/browser.ts"

const app = useTestApp()

const NOBODY = {
  type: "authentication_error",
  code: "not_authenticated",
  detail: "Authentication credentials were not provided.",
  attr: null,
}

function badKeyIn(place: string) {
  const detail = `Personal API key found in ${place} is invalid.`
  return { type: "authentication_error", code: "authentication_failed", detail, attr: null }
}

describe("a key", () => {
  test.each([
    ["plain", (key: string) => `Bearer ${key}`],
    ["with spaces around it", (key: string) => `   Bearer    ${key}   `],
    ["after the scheme in small letters", (key: string) => `bearer ${key}`],
  ])("is found in the header, %s", async (_how, header) => {
    const ana = await app.addUser()
    const headers = { authorization: header(ana.key) }
    expect((await app.call("GET", "/api/users/@me", { headers })).body.email).toBe(ana.email)
  })

  test("is found in a JSON body", async () => {
    const ana = await app.addUser()
    const body = { name: "Acme", personal_api_key: ana.key }
    expect((await app.call("POST", "/api/organizations", { body })).status).toBe(201)
  })

  test("is found in the query, and does not return in the links of a page", async () => {
    const { owner } = await app.addOrganization()
    await app.post("/api/organizations", owner.key, { name: "Second" })
    const { status, body } = await app.get(
      `/api/organizations/?limit=1&personal_api_key=${owner.key}`,
    )
    expect(status).toBe(200)
    expect(body.next).toContain("offset=1")
    expect(body.next).not.toContain("phx_")
  })

  test.each([
    ["request Authorization header", { authorization: "Bearer phx_wrong" }],
    ["request Authorization header", { authorization: "Bearer two words" }],
  ])("that is wrong in the %s is an error, whatever else is right", async (place, headers) => {
    const ana = await app.addUser()
    const answer = await app.call("POST", `/api/organizations?personal_api_key=${ana.key}`, {
      headers,
      body: { name: "Acme", personal_api_key: ana.key },
    })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual(badKeyIn(place))
    expect(answer.headers.get("www-authenticate")).toContain("Bearer")
  })

  test("that is wrong in the body is an error, even if the query has a right one", async () => {
    const ana = await app.addUser()
    const url = `/api/organizations?personal_api_key=${ana.key}`
    const body = { name: "Acme", personal_api_key: "phx_wrong" }
    const answer = await app.call("POST", url, { body })
    expect([answer.status, answer.body]).toEqual([401, badKeyIn("request body")])
  })

  test("that is wrong in the query is an error, even with a session", async () => {
    const browser = await openBrowser(app, await app.addUser())
    const answer = await browser.call("GET", "/api/users/@me?personal_api_key=phx_wrong")
    expect([answer.status, answer.body]).toEqual([401, badKeyIn("request query string")])
  })

  test("of a deactivated user is invalid", async () => {
    const ana = await app.addUser()
    await app.db`update app_user set is_active = false where id = ${ana.id}`
    const { status, body } = await app.get("/api/users/@me", ana.key)
    expect([status, body]).toEqual([401, badKeyIn("request Authorization header")])
  })

  test("says when it was used, to the hour", async () => {
    const ana = await app.addUser()
    const readLastUse = async () =>
      (await app.get("/api/personal_api_keys/@current", ana.key)).body.last_used_at
    const firstUse = await readLastUse()
    app.clock.advanceMs(60 * 60 * 1_000 - 1)
    expect(await readLastUse()).toBe(firstUse)
    app.clock.advanceMs(2)
    const laterUse = await readLastUse()
    expect(Date.parse(laterUse) - Date.parse(firstUse)).toBe(60 * 60 * 1_000 + 1)
  })
})

describe("no proof at all", () => {
  test.each([
    {},
    { authorization: "Bearer" },
    { authorization: "Bearer   " },
    { authorization: "Basic YW5hOmhhemVs" },
    { cookie: "hedgerow_session=" },
    { cookie: "hedgerow_session=abc.def; other=1" },
  ])("is what %j gives", async (headers) => {
    const { status, body } = await app.call("GET", "/api/users/@me", { headers })
    expect([status, body]).toEqual([401, NOBODY])
  })

  test("is known before the body is read", async () => {
    const { status, body } = await app.call("POST", "/api/organizations", {
      headers: { "content-type": "application/json" },
      body: '{"personal_api_key": ',
    })
    expect([status, body]).toEqual([401, NOBODY])
  })
})

describe("a session cookie", () => {
  test.each([
    ["without its signature", (cookie: string) => cookie.split(".")[0] ?? ""],
    ["with another id", (cookie: string) => `${flipped(cookie[0])}${cookie.slice(1)}`],
    [
      "with another signature",
      (cookie: string) => cookie.replace(/\.(.)/, (_, c) => `.${flipped(c)}`),
    ],
  ])("%s is no proof", async (_how, forge) => {
    const browser = await openBrowser(app, await app.addUser())
    const cookie = browser.cookies.get("hedgerow_session") ?? ""
    browser.cookies.set("hedgerow_session", forge(cookie))
    const { status, body } = await browser.call("GET", "/api/users/@me")
    expect([status, body]).toEqual([401, NOBODY])
  })

  test("alone reads, but does not write: another site can make a browser send it", async () => {
    const browser = await openBrowser(app, await app.addUser())
    browser.cookies.delete("hedgerow_csrftoken")
    expect((await browser.call("GET", "/api/users/@me")).status).toBe(200)
    expect((await browser.call("HEAD", "/api/users/@me")).status).toBe(200)
    for (const [method, url] of [
      ["POST", "/api/organizations"],
      ["PATCH", "/api/users/@me"],
      ["DELETE", "/api/personal_api_keys/abc"],
      ["POST", "/api/logout"],
    ] as const) {
      const { status, body } = await browser.call(method, url)
      expect([method, url, status]).toEqual([method, url, 403])
      expect(body).toMatchObject({
        type: "authentication_error",
        code: "permission_denied",
        attr: null,
      })
    }
  })

  test.each(["", "wrong", "x".repeat(43)])(
    "does not write with the CSRF token %j",
    async (token) => {
      const browser = await openBrowser(app, await app.addUser())
      const headers = { "x-csrftoken": token }
      const { status, body } = await browser.call("PATCH", "/api/users/@me", { headers, body: {} })
      expect([status, body.code]).toEqual([403, "permission_denied"])
    },
  )

  test("does not write with the CSRF token of another session", async () => {
    const ana = await app.addUser()
    const [here, there] = [await openBrowser(app, ana), await openBrowser(app, ana)]
    here.cookies.set("hedgerow_csrftoken", there.cookies.get("hedgerow_csrftoken") ?? "")
    const { status } = await here.call("PATCH", "/api/users/@me", { body: {} })
    expect(status).toBe(403)
  })

  test("writes with its own CSRF token", async () => {
    const browser = await openBrowser(app, await app.addUser())
    const { status, body } = await browser.call("PATCH", "/api/users/@me", {
      body: { first_name: "Bo" },
    })
    expect([status, body.first_name]).toEqual([200, "Bo"])
  })

  test("asks no CSRF token of a key beside it", async () => {
    const ana = await app.addUser()
    const browser = await openBrowser(app, ana)
    browser.cookies.delete("hedgerow_csrftoken")
    const { status } = await browser.call("PATCH", "/api/users/@me", { key: ana.key, body: {} })
    expect(status).toBe(200)
  })
})

function flipped(character = ""): string {
  return character === "A" ? "B" : "A"
}
