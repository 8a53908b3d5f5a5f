import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

async function addProject() {
  const { id, owner, project } = await app.addOrganization()
  return {
    organizationId: id,
    key: owner.key,
    owner,
    id: project.id,
    url: `/api/projects/${project.id}`,
  }
}

const denied = { type: "authentication_error", code: "permission_denied", attr: null }

describe("settings of a project", () => {
  test.each<[string, unknown]>([
    ["name", "Shop"],
    ["timezone", "America/New_York"],
    ["week_start_day", 0],
    ["week_start_day", 1],
    ["week_start_day", null],
    ["access_control", true],
    ["anonymize_ips", true],
    ["completed_snippet_onboarding", true],
    ["has_completed_onboarding_for", { web: true }],
    ["has_completed_onboarding_for", null],
    ["app_urls", ["https://example.com", "http://localhost:3000", "https://*.example.com"]],
    ["app_urls", []],
    ["recording_domains", ["https://example.com"]],
    ["recording_domains", null],
    ["slack_incoming_webhook", "https://hooks.example.com/a"],
    ["slack_incoming_webhook", null],
    ["test_account_filters", [{ key: "email", value: "@acme.com", operator: "not_icontains" }]],
    ["test_account_filters_default_checked", true],
    ["path_cleaning_filters", [{ regex: "/user/\\d+", alias: "/user/:id" }]],
    ["path_cleaning_filters", null],
    ["data_attributes", ["data-attr", "data-test"]],
    ["person_display_name_properties", ["email", "name"]],
    ["person_display_name_properties", null],
    ["live_events_columns", ["event", "person"]],
    ["autocapture_opt_out", true],
    ["autocapture_opt_out", null],
    ["session_recording_opt_in", true],
    ["extra_settings", { poll: { every: [1, "a", null] } }],
    ["extra_settings", null],
  ])("take %s %j", async (field, value) => {
    const { url, key } = await addProject()
    app.clock.advanceMs(1_000)
    const { status, body } = await app.patch(url, key, { [field]: value })
    expect(status).toBe(200)
    expect(body[field]).toEqual(value)
    expect(body.updated_at > body.created_at).toBe(true)
    expect((await app.get(url, key)).body).toEqual(body)
  })

  test("count no list of addresses as an empty one", async () => {
    const { url, key } = await addProject()
    expect((await app.patch(url, key, { app_urls: null })).body.app_urls).toEqual([])
  })

  test.each<[string, unknown, string, string?]>([
    ["name", "", "blank"],
    ["name", "  ", "blank"],
    ["name", null, "null"],
    ["name", "a".repeat(201), "max_length"],
    ["name", 5, "invalid_input"],
    ["timezone", "Mars/Base", "invalid_choice"],
    ["timezone", "", "invalid_choice"],
    ["timezone", null, "null"],
    ["timezone", 1, "invalid_input"],
    ["week_start_day", 2, "invalid_choice"],
    ["week_start_day", "1", "invalid_choice"],
    ["access_control", "yes", "invalid_input"],
    ["anonymize_ips", null, "null"],
    ["app_urls", "https://example.com", "not_a_list"],
    ["app_urls", ["https://example.com", "example.com"], "invalid_input", "app_urls__1"],
    ["app_urls", ["javascript:alert(1)"], "invalid_input", "app_urls__0"],
    ["app_urls", Array(1_001).fill("https://a.com"), "max_length"],
    ["recording_domains", [5], "invalid_input", "recording_domains__0"],
    ["slack_incoming_webhook", "hook", "invalid_input"],
    ["test_account_filters", null, "null"],
    ["test_account_filters", {}, "not_a_list"],
    ["test_account_filters", ["email"], "invalid_input", "test_account_filters__0"],
    ["test_account_filters", [{ value: "a".repeat(100_000) }], "max_length"],
    ["path_cleaning_filters", [[]], "invalid_input", "path_cleaning_filters__0"],
    ["data_attributes", null, "null"],
    ["data_attributes", [1], "invalid_input", "data_attributes__0"],
    ["person_display_name_properties", "email", "not_a_list"],
    ["person_display_name_properties", [""], "blank", "person_display_name_properties__0"],
    ["extra_settings", "x", "invalid_input"],
    ["has_completed_onboarding_for", [], "invalid_input"],
  ])("refuse %s %j", async (field, value, code, attr = field) => {
    const { url, key } = await addProject()
    const before = (await app.get(url, key)).body
    const { status, body } = await app.patch(url, key, { [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code, attr })
    expect((await app.get(url, key)).body).toEqual(before)
  })

  test("are written as a whole only with a name, and stay where they are not sent", async () => {
    const { url, key } = await addProject()
    await app.patch(url, key, { week_start_day: 1 })
    const nameless = await app.call("PUT", url, { key, body: { timezone: "UTC" } })
    expect(nameless).toMatchObject({
      status: 400,
      body: { type: "validation_error", code: "required", attr: "name" },
    })
    const put = await app.call("PUT", url, { key, body: { name: "Shop", timezone: "GMT" } })
    expect(put).toMatchObject({
      status: 200,
      body: { name: "Shop", timezone: "GMT", week_start_day: 1 },
    })
  })

  test("leave what the platform decides as it is", async () => {
    const { url, key } = await addProject()
    const { body: before } = await app.get(url, key)
    const sent = { id: 1, uuid: "x", api_token: "mine", organization: "x", ingested_event: true }
    const { status, body } = await app.patch(url, key, { ...sent, effective_membership_level: 1 })
    expect(status).toBe(200)
    expect({ ...body, updated_at: null }).toEqual({ ...before, updated_at: null })
  })

  test("are changed by members, except who may see the project", async () => {
    const { organizationId, url } = await addProject()
    const member = await app.addMember(organizationId)
    const patch = (body: object) => app.patch(url, member.key, body)
    expect(await patch({ name: "Shop", timezone: "GMT", access_control: false })).toMatchObject({
      status: 200,
      body: { name: "Shop", effective_membership_level: 1 },
    })
    const refused = await patch({ name: "Mine", access_control: true })
    expect(refused).toMatchObject({ status: 403, body: denied })
    expect((await app.get(url, member.key)).body).toMatchObject({
      name: "Shop",
      access_control: false,
    })
  })

  test("that hide a project move others to one that they can see", async () => {
    const { organizationId, url, key, id, owner } = await addProject()
    const { body: second } = await app.post("/api/projects", key, { name: "Second" })
    const member = await app.addMember(organizationId)
    await app.db`
      update app_user set current_project_id = ${id} where id = any(${[member.id, owner.id]})`
    expect((await app.get("/api/projects/@current", member.key)).body.id).toBe(id)
    await app.patch(url, key, { access_control: true })
    expect((await app.get("/api/projects/@current", member.key)).body.id).toBe(second.id)
    expect((await app.get("/api/projects/@current", key)).body.id).toBe(id)
  })

  test("are in the activity log field by field, secrets without their value", async () => {
    const { organizationId, url, key, id } = await addProject()
    await app.patch(url, key, { extra_settings: { bb: 1, a: 2 } })
    await app.patch(url, key, {
      timezone: "GMT",
      anonymize_ips: false,
      extra_settings: { bb: 1, a: 2 },
      slack_incoming_webhook: "https://hooks.example.com/secret",
    })
    const [entry] = await app.db<{ changes: unknown }[]>`
      select item_id, project_id, detail->'changes' as changes from activity_log
      where organization_id = ${organizationId} and scope = 'Project' order by id desc limit 1`
    const change = { type: "Project" }
    expect(entry).toMatchObject({ item_id: String(id), project_id: id })
    expect(entry?.changes).toHaveLength(2)
    expect(entry?.changes).toEqual(
      expect.arrayContaining([
        { ...change, action: "changed", field: "timezone", before: "UTC", after: "GMT" },
        {
          ...change,
          action: "created",
          field: "slack_incoming_webhook",
          before: null,
          after: null,
        },
      ]),
    )
  })

  test("of different fields written at the same time are all kept", async () => {
    const { url, key } = await addProject()
    const changes = [{ name: "Shop" }, { timezone: "GMT" }, { week_start_day: 1 }]
    const answers = await Promise.all(changes.map((change) => app.patch(url, key, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await app.get(url, key)
    expect(body).toMatchObject({ name: "Shop", timezone: "GMT", week_start_day: 1 })
  })
})
