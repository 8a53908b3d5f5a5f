/** With answers kept, as on the bundled server: what a write answered is in the next read. */
import { describe, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"

const app = useTestApp({ isSoleWriter: true })

describe("with the read cache", () => {
  test("a read after a write shows the write, also under load from other readers", async () => {
    const { url, owner } = await app.addOrganization()
    let isDone = false
    const readers = Array.from({ length: 4 }, async () => {
      while (!isDone) expect((await app.get(url, owner.key)).status).toBe(200)
    })
    for (let index = 0; index < 15; index++) {
      const name = `Name ${index}`
      await app.patch(url, owner.key, { name })
      expect((await app.get(url, owner.key)).body.name).toBe(name)
    }
    isDone = true
    await Promise.all(readers)
  })

  test("a removed member and a revoked key are refused at once", async () => {
    const { id, url, owner } = await app.addOrganization()
    const bo = await app.addMember(id)
    expect((await app.get(`${url}/members`, bo.key)).status).toBe(200)
    expect((await app.get(`${url}/members`, bo.key)).status).toBe(200)
    expect((await app.delete(`${url}/members/${bo.uuid}`, owner.key)).status).toBe(204)
    expect((await app.get(`${url}/members`, bo.key)).status).toBe(403)

    const made = await app.post("/api/personal_api_keys", owner.key, { label: "x", scopes: ["*"] })
    const key = made.body.value as string
    expect((await app.get(url, key)).status).toBe(200)
    expect((await app.delete(`/api/personal_api_keys/${made.body.id}`, owner.key)).status).toBe(204)
    expect((await app.get(url, key)).status).toBe(401)
  })

  test("one caller never gets what was kept for another", async () => {
    const { id, url, owner } = await app.addOrganization()
    const bo = await app.addMember(id)
    expect((await app.get(url, owner.key)).body.membership_level).toBe(15)
    expect((await app.get(url, bo.key)).body.membership_level).toBe(1)
    expect((await app.get("/api/organizations/@current", bo.key)).body.membership_level).toBe(1)
    expect((await app.get(url)).status).toBe(401)
    expect((await app.get(url, "phx_nobody")).status).toBe(401)
  })

  test("links are those of the address the caller used", async () => {
    const { url, owner } = await app.addOrganization()
    const ask = (host: string) =>
      app.call("GET", `${url}/members?limit=1`, {
        key: owner.key,
        headers: { "x-forwarded-host": host, "x-forwarded-for": "10.0.0.9" },
      })
    await app.addMember(url.split("/").at(-1) ?? "")
    expect((await ask("one.example.com")).body.next).toContain("one.example.com")
    expect((await ask("two.example.com")).body.next).toContain("two.example.com")
  })

  test("an answer lives a second at most, so that the clock's changes show", async () => {
    const { url, owner } = await app.addOrganization()
    await app.post(`${url}/invites`, owner.key, { target_email: "bo@example.com" })
    expect((await app.get(`${url}/invites`, owner.key)).body.results[0].is_expired).toBe(false)
    app.clock.advanceMs(4 * 24 * 60 * 60 * 1_000)
    expect((await app.get(`${url}/invites`, owner.key)).body.results[0].is_expired).toBe(true)
  })
})
