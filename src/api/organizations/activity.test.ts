import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()
const BASE = "/api/organizations"

async function entriesOf(itemId: string) {
  return app.db`
    select organization_id, user_id, activity, scope, detail->'name' as name,
           detail->'changes' as changes, created_at
    from activity_log where item_id = ${itemId} order by id`
}

describe("what is done to an organization is kept", () => {
  test("its making, with who and when", async () => {
    const ana = await app.addUser()
    const { body } = await app.post(BASE, ana.key, { name: "Logged" })
    expect(await entriesOf(body.id)).toEqual([
      {
        organization_id: body.id,
        user_id: ana.id,
        activity: "created",
        scope: "Organization",
        name: "Logged",
        changes: null,
        created_at: body.created_at,
      },
    ])
  })

  test("its changes, with before and after of every field that differs", async () => {
    const { id, url, owner } = await app.addOrganization("Before")
    const change = { name: "After", enforce_2fa: true, is_member_join_email_enabled: true }
    await app.patch(url, owner.key, change)
    const [entry] = await entriesOf(id)
    expect(entry).toMatchObject({ user_id: owner.id, activity: "updated", name: "Before" })
    const type = "Organization"
    expect(entry?.changes).toEqual([
      { type, action: "changed", field: "name", before: "Before", after: "After" },
      { type, action: "created", field: "enforce_2fa", before: null, after: true },
    ])
  })

  test("but not a change that changes nothing, nor one that is refused", async () => {
    const { id, url, owner } = await app.addOrganization("Same")
    const member = await app.addMember(id)
    await app.patch(url, owner.key, { name: "Same" })
    await app.patch(url, owner.key, {})
    await app.patch(url, member.key, { name: "Other" })
    await app.patch(url, owner.key, { name: "" })
    expect(await entriesOf(id)).toEqual([])
  })

  test("its end, which outlives it", async () => {
    const { id, url, owner } = await app.addOrganization("Gone")
    await app.patch(url, owner.key, { name: "Going" })
    await app.delete(url, owner.key)
    expect(await entriesOf(id)).toMatchObject([
      { organization_id: null, user_id: owner.id, activity: "deleted", name: "Going" },
    ])
  })
})
