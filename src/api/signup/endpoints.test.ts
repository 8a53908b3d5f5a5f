import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid, randomLetters } from "../../lib/ids.ts"

const app = useTestApp()

const DAY_MS = 24 * 60 * 60 * 1_000
const PASSWORD = "hedge row 42 gate"

const missing = { status: 404, body: { type: "invalid_request", code: "not_found", attr: null } }

function refused(code: string, attr: string | null = null) {
  return { status: 400, body: { type: "validation_error", code, attr } }
}

function freshAddress(name = "ana"): string {
  return `${name}-${randomLetters("abcdefghij", 10)}@example.com`
}

async function invite(target_email = freshAddress(), draft: object = {}) {
  const organization = await app.addOrganization("Garden Shop")
  const { url, owner } = organization
  const { body } = await app.post(`${url}/invites`, owner.key, { target_email, ...draft })
  return { organization, target_email, id: body.id as string, url: `/api/signup/${body.id}` }
}

function signUp(url: string, body: object = {}) {
  return app.call("POST", url, { body: { first_name: "Ana", password: PASSWORD, ...body } })
}

async function expire(id: string): Promise<void> {
  const tooOld = new Date(app.clock.now().getTime() - 3 * DAY_MS - 1)
  await app.db`update invite set created_at = ${tooOld} where id = ${id}`
}

async function countUsers(email: string): Promise<number> {
  const rows = await app.db`select 1 from app_user where lower(email) = lower(${email})`
  return rows.length
}

describe("looking at an invite", () => {
  test("shows whoever has the link whom it is for and where it leads", async () => {
    const { id, url, target_email } = await invite(freshAddress(), { first_name: "Ana" })
    expect((await app.get(`${url}/`)).body).toEqual({
      id,
      target_email,
      first_name: "Ana",
      organization_name: "Garden Shop",
    })
  })

  test("is refused once it has expired, and 404 for no invite", async () => {
    const { id, url } = await invite()
    await expire(id)
    expect(await app.get(url)).toMatchObject(refused("expired"))
    for (const wrong of [newUuid(), "junk", "%00"]) {
      expect(await app.get(`/api/signup/${wrong}`), wrong).toMatchObject(missing)
    }
  })
})

describe("signing up with an invite", () => {
  test("makes the account, the membership and the current place, and leaves no invite", async () => {
    const { organization, url, target_email } = await invite(undefined, { level: 8 })
    const { status, body } = await signUp(`${url}/`, { last_name: "Smith" })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      email: target_email,
      first_name: "Ana",
      last_name: "Smith",
      is_email_verified: true,
    })
    expect(Object.keys(body)).not.toContain("password_hash")
    const [row] = await app.db`
      select m.level, u.current_organization_id, u.current_project_id, u.password_hash
      from app_user u join membership m on m.user_id = u.id where u.id = ${body.id}`
    expect(row).toEqual({
      level: 8,
      current_organization_id: organization.id,
      current_project_id: organization.project.id,
      password_hash: expect.stringMatching(/^scrypt\$/),
    })
    expect(await app.get(url)).toMatchObject(missing)
    const { owner } = organization
    expect((await app.get(`${organization.url}/invites`, owner.key)).body.count).toBe(0)
    const [entry] = await app.db`
      select user_id, activity, detail->>'name' as name from activity_log
      where organization_id = ${organization.id} and scope = 'OrganizationMembership'`
    expect(entry).toEqual({ user_id: body.id, activity: "created", name: target_email })
  })

  test("signs the new user in", async () => {
    const { organization, url } = await invite()
    const { headers } = await signUp(url)
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    const answer = await app.call("GET", `${organization.url}/members`, { headers: { cookie } })
    expect(answer).toMatchObject({ status: 200, body: { count: 2 } })
  })

  test("applies the project grants, passing over projects that are gone", async () => {
    const organization = await app.addOrganization()
    const { url, owner, project } = organization
    const other = await app.post(`${url}/invites`, owner.key, {
      target_email: freshAddress(),
      private_project_access: [
        { id: project.id, level: 1 },
        { id: project.id, level: 8 },
      ],
    })
    await app.db`
      update invite set private_project_access = private_project_access || '[{"id": 1999999999, "level": 1}]'
      where id = ${other.body.id}`
    const { status, body } = await signUp(`/api/signup/${other.body.id}`)
    expect(status).toBe(201)
    const grants =
      await app.db`select project_id, level from project_grant where user_id = ${body.id}`
    expect([...grants]).toEqual([{ project_id: project.id, level: 8 }])
  })

  test("starts in the first project the newcomer can see, or in none", async () => {
    const { organization, url } = await invite()
    await app.db`update project set access_control = true where id = ${organization.project.id}`
    const { body } = await signUp(url)
    const [row] = await app.db`
      select current_organization_id as o, current_project_id as p from app_user where id = ${body.id}`
    expect(row).toEqual({ o: organization.id, p: null })
  })

  test("needs a first name and a good password", async () => {
    const { url, target_email } = await invite()
    const cases: readonly [object, string, string][] = [
      [{ first_name: undefined }, "first_name", "required"],
      [{ first_name: " " }, "first_name", "blank"],
      [{ first_name: "a".repeat(151) }, "first_name", "max_length"],
      [{ last_name: "a".repeat(151) }, "last_name", "max_length"],
      [{ password: undefined }, "password", "required"],
      [{ password: 12345678 }, "password", "invalid_input"],
      [{ password: "short" }, "password", "password_too_short"],
      [{ password: "password" }, "password", "password_too_common"],
      [{ password: "ab".repeat(100) }, "password", "password_too_long"],
    ]
    for (const [body, attr, code] of cases) {
      expect(await signUp(url, body), JSON.stringify(body)).toMatchObject(refused(code, attr))
    }
    expect(await countUsers(target_email)).toBe(0)
  })

  test("is for the invited address alone, whatever its case", async () => {
    const { url, target_email } = await invite()
    expect(await signUp(url, { email: "bo@example.com" })).toMatchObject(
      refused("invalid_recipient"),
    )
    const stranger = await app.addUser("bo")
    const body = { first_name: "Ana", password: PASSWORD }
    expect(await app.post(url, stranger.key, body)).toMatchObject(refused("invalid_recipient"))
    expect(await countUsers(target_email)).toBe(0)
    expect((await signUp(url, { email: ` ${target_email.toUpperCase()} ` })).status).toBe(201)
  })

  test("is refused when the invite has expired; a wrong recipient is told first", async () => {
    const { id, url, target_email } = await invite()
    await expire(id)
    expect(await signUp(url)).toMatchObject(refused("expired"))
    expect(await signUp(url, { email: "bo@example.com" })).toMatchObject(
      refused("invalid_recipient"),
    )
    expect(await countUsers(target_email)).toBe(0)
  })

  test("is refused when the address has an account, active or not", async () => {
    const ana = await app.addUser("ana")
    const { organization, url } = await invite(ana.email.toUpperCase())
    expect(await signUp(url)).toMatchObject(refused("account_exists"))
    await app.db`update app_user set is_active = false where id = ${ana.id}`
    expect(await signUp(url)).toMatchObject(refused("account_exists"))
    const { body } = await app.get(`${organization.url}/invites`, organization.owner.key)
    expect(body.count).toBe(1)
  })

  test("with no invite is 404, said before the body is looked at", async () => {
    for (const id of [newUuid(), "junk"]) {
      expect(await app.call("POST", `/api/signup/${id}`, { body: {} })).toMatchObject(missing)
    }
  })

  test("twice at once makes one account and one membership", async () => {
    const { organization, url, target_email } = await invite()
    const answers = await Promise.all([signUp(url), signUp(url), signUp(url)])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every((status) => status === 400 || status === 404)).toBe(true)
    expect(await countUsers(target_email)).toBe(1)
    const { body } = await app.get(`${organization.url}/members`, organization.owner.key)
    expect(body.count).toBe(2)
  })

  test("with the invites of two organizations at once makes one account", async () => {
    const first = await invite()
    const second = await invite(first.target_email)
    const answers = await Promise.all([signUp(first.url), signUp(second.url)])
    const codes = answers.map(({ status, body }) => body.code ?? status)
    expect(codes.toSorted()).toEqual([201, "account_exists"])
    expect(await countUsers(first.target_email)).toBe(1)
  })
})
