import { describe, expect, test } from "vitest"
import { START, useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"

const app = useTestApp()

const HOUR_MS = 60 * 60 * 1_000

const denied = {
  status: 403,
  body: { type: "authentication_error", code: "permission_denied", attr: null },
}
const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }

function invalid(attr: string | null, code = "invalid_input") {
  return { status: 400, body: { type: "validation_error", code, attr } }
}

function emails(body: { results: { user: { email: string } }[] }): string[] {
  return body.results.map(({ user }) => user.email)
}

/** `joined` says after how many hours of the start. */
async function join(organizationId: string, name: string, joined: number) {
  const person = await app.addMember(organizationId, "member", name)
  const at = new Date(new Date(START).getTime() + joined * HOUR_MS)
  await app.db`update membership set joined_at = ${at}, updated_at = ${at} where user_id = ${person.id}`
  return person
}

describe("the list of members", () => {
  test("shows each member with the embedded user, and nothing more", async () => {
    const { id, owner, url } = await app.addOrganization()
    const { status, body } = await app.get(`${url}/members/`, owner.key)
    expect(status).toBe(200)
    const [row] = await app.db<{ id: string; distinct_id: string }[]>`
      select m.id, u.distinct_id from membership m join app_user u on u.id = m.user_id
      where m.organization_id = ${id}`
    expect(body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: row?.id,
          user: {
            id: owner.id,
            uuid: owner.uuid,
            distinct_id: row?.distinct_id,
            first_name: "owner",
            last_name: "",
            email: owner.email,
            is_email_verified: true,
            hedgehog_config: null,
          },
          level: 15,
          joined_at: START,
          updated_at: START,
          is_2fa_enabled: false,
          has_social_auth: false,
        },
      ],
    })
  })

  test("is the newest first, and the other way round with order=joined_at", async () => {
    const { id, owner, url } = await app.addOrganization()
    const ana = await join(id, "ana", 2)
    const bo = await join(id, "bo", 3)
    const cy = await join(id, "cy", 1)
    const newest = [bo.email, ana.email, cy.email, owner.email]
    expect(emails((await app.get(`${url}/members`, ana.key)).body)).toEqual(newest)
    const named = await app.get(`${url}/members?order=-joined_at`, ana.key)
    expect(emails(named.body)).toEqual(newest)
    const oldest = await app.get(`${url}/members?order=joined_at`, ana.key)
    expect(emails(oldest.body)).toEqual(newest.toReversed())
    const wrong = await app.get(`${url}/members?order=level`, ana.key)
    expect(wrong).toMatchObject(invalid("order", "invalid_choice"))
  })

  test("breaks ties by id and pages without loss", async () => {
    const { id, owner, url } = await app.addOrganization()
    for (const name of ["ana", "bo", "cy", "di"]) await join(id, name, 1)
    const whole = await app.get(`${url}/members`, owner.key)
    const ids = whole.body.results.map((member: { id: string }) => member.id)
    expect(ids.slice(0, 4)).toEqual(ids.slice(0, 4).toSorted().reverse())
    const first = await app.get(`${url}/members?limit=2&email=`, owner.key)
    expect(first.body).toMatchObject({ count: 5, previous: null })
    expect(first.body.next).toContain("limit=2&email=&offset=2")
    const second = await app.get(`${url}/members?limit=2&offset=2`, owner.key)
    const paged = [...first.body.results, ...second.body.results]
    expect(paged.map(({ id }) => id)).toEqual(ids.slice(0, 4))
  })

  test("leaves out people whose account is deactivated", async () => {
    const { id, owner, url } = await app.addOrganization()
    const ana = await app.addMember(id)
    await app.db`update app_user set is_active = false where id = ${ana.id}`
    const { body } = await app.get(`${url}/members`, owner.key)
    expect(body.count).toBe(1)
    expect(emails(body)).toEqual([owner.email])
    const other = await app.patch(`${url}/members/${ana.uuid}`, owner.key, { level: 8 })
    expect(other).toMatchObject(missing)
  })

  test("is filtered by the exact e-mail", async () => {
    const { id, url, owner } = await app.addOrganization()
    const ana = await app.addMember(id, "member", "ana")
    const found = await app.get(`${url}/members?email=${ana.email}`, owner.key)
    expect(emails(found.body)).toEqual([ana.email])
    const part = await app.get(`${url}/members?email=${ana.email.slice(0, -1)}`, owner.key)
    expect(part.body).toMatchObject({ count: 0, results: [] })
  })

  test("is searched in names and e-mails whatever the case, taking every character as it is", async () => {
    const { id, url, owner } = await app.addOrganization()
    const ana = await app.addMember(id, "member", "ana")
    const bo = await app.addMember(id, "member", "bo")
    await app.db`update app_user set first_name = 'Ana%', last_name = 'Über' where id = ${ana.id}`
    const search = async (text: string) => {
      const { body } = await app.get(`${url}/members?search=${encodeURIComponent(text)}`, owner.key)
      return emails(body)
    }
    expect(await search("ana% ü")).toEqual([ana.email])
    expect(await search(" BO-")).toEqual([bo.email])
    expect(await search("%")).toEqual([ana.email])
    expect(await search("_")).toEqual([])
    expect(await search("")).toHaveLength(3)
  })

  test("refuses a search of more than 200 characters, and characters no store can keep", async () => {
    const { url, owner } = await app.addOrganization()
    expect(await app.get(`${url}/members?search=${"a".repeat(200)}`, owner.key)).toMatchObject({
      status: 200,
      body: { count: 0 },
    })
    const long = await app.get(`${url}/members?search=${"a".repeat(201)}`, owner.key)
    expect(long).toMatchObject(invalid("search", "max_length"))
    for (const field of ["search", "email"]) {
      const nul = await app.get(`${url}/members?${field}=a%00b`, owner.key)
      expect(nul).toMatchObject(invalid(field))
    }
  })

  test("is filtered by when a membership changed last", async () => {
    const { id, url, owner } = await app.addOrganization()
    const ana = await join(id, "ana", 2)
    const after = (time: string) =>
      app.get(`${url}/members?updated_after=${encodeURIComponent(time)}`, owner.key)
    expect(emails((await after(START)).body)).toEqual([ana.email])
    expect(emails((await after("2026-03-02T12:30:00+01:00")).body)).toEqual([ana.email])
    expect((await after("2026-03-02T12:00:00Z")).body.count).toBe(0)
    for (const wrong of ["yesterday", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z"]) {
      expect(await after(wrong), wrong).toMatchObject(invalid("updated_after"))
    }
  })

  test("is for members with organization_member:read, and for nobody else", async () => {
    const { id, url } = await app.addOrganization()
    const member = await app.addMember(id)
    const reader = await app.addKey(member.id, { scopes: ["organization_member:read"] })
    expect((await app.get(`${url}/members`, reader)).status).toBe(200)
    const other = await app.addKey(member.id, { scopes: ["organization:write"] })
    expect(await app.get(`${url}/members`, other)).toMatchObject(denied)
    const stranger = await app.addUser()
    expect(await app.get(`${url}/members`, stranger.key)).toMatchObject(denied)
    expect(await app.get(`${url}/members`)).toMatchObject({
      status: 401,
      body: { type: "authentication_error", code: "not_authenticated", attr: null },
    })
    const nowhere = `/api/organizations/${newUuid()}/members`
    expect(await app.get(nowhere, stranger.key)).toMatchObject(missing)
    expect(await app.get("/api/organizations/@current/members", member.key)).toMatchObject({
      status: 200,
      body: { count: 2 },
    })
  })

  test("a single member cannot be asked for, which tells a stranger nothing", async () => {
    const { owner, url } = await app.addOrganization()
    const stranger = await app.addUser()
    for (const uuid of [owner.uuid, newUuid(), "junk"]) {
      const answer = await app.get(`${url}/members/${uuid}/`, stranger.key)
      expect(answer).toMatchObject({
        status: 405,
        body: { type: "invalid_request", code: "method_not_allowed", attr: null },
      })
    }
  })
})
