import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import {
  addCohortProject,
  filtersOf,
  is,
  makeCohort,
  membersOf,
} from "../../../test/support/cohorts.ts"

const app = useTestApp()

function csvForm(
  csv: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set("csv", new File([csv], "list.csv", { type: "text/csv" }))
  return form
}

describe("a dynamic cohort", () => {
  test("is worked out by the time its creation is answered", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    await project.person("bob", { plan: "paid" })
    const filters = filtersOf(is("plan", "free"))
    const { status, body } = await project.post({ name: "Free", description: "of charge", filters })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ name: "Free", description: "of charge", filters, groups: [], query: null },
      ...{ is_static: false, deleted: false, errors_calculating: 0, is_calculating: true },
      ...{ version: null, pending_version: 1, created_by: { email: project.owner.email } },
    })
    const seen = await project.get(`/${body.id}`)
    expect(seen.body).toMatchObject({ count: 1, is_calculating: false, version: 1 })
    expect(seen.body.last_calculation).toBe("2026-03-02T10:00:00Z")
    expect(await membersOf(project, body.id)).toEqual(["ana"])
    expect((await project.get()).body).toMatchObject({ count: 1, results: [{ id: body.id }] })
  })

  test("is worked out again when its filters change, and only then", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    await project.person("bob", { plan: "paid" })
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const renamed = await project.patch(id, { name: "two" })
    expect(renamed.body).toMatchObject({ name: "two", is_calculating: false, pending_version: 1 })
    const changed = await project.patch(id, { filters: filtersOf(is("plan", "paid")) })
    expect(changed.body).toMatchObject({ is_calculating: true, pending_version: 2 })
    expect((await project.get(`/${id}`)).body).toMatchObject({ version: 2, count: 1 })
    expect(await membersOf(project, id)).toEqual(["bob"])
    const same = await project.patch(id, changed.body)
    expect(same.body).toMatchObject({ pending_version: 2, is_calculating: false })
  })

  test("can be replaced by PUT, which needs a name", async () => {
    const project = await addCohortProject(app)
    const filters = filtersOf(is("plan", "free"))
    const id = await makeCohort(project, { filters })
    const put = (body: object) =>
      app.call("PUT", `${project.url}/${id}`, { key: project.key, body })
    expect((await put({ name: "two", filters })).body).toMatchObject({ name: "two", filters })
    expect((await put({ filters })).body).toMatchObject({ attr: "name", code: "required" })
  })

  test("of what persons did is worked out from their events", async () => {
    const project = await addCohortProject(app)
    await app.capture({ id: project.projectId }, [
      { event: "buy", distinct_id: "ana", timestamp: "2026-03-01T10:00:00Z" },
      { event: "look", distinct_id: "bob", timestamp: "2026-03-01T10:00:00Z" },
    ])
    const did = {
      ...{ type: "behavioral", key: "buy", event_type: "events", value: "performed_event" },
      ...{ time_value: 30, time_interval: "day" },
    }
    const id = await makeCohort(project, { filters: filtersOf(did) })
    expect(await membersOf(project, id)).toEqual(["ana"])
  })

  test("may be written in groups, the old way", async () => {
    const project = await addCohortProject(app)
    await project.person("cleo", { plan: "free" })
    await app.capture({ id: project.projectId }, [
      ...["ana", "ana", "bob"].map((distinct_id) => ({
        ...{ event: "buy", distinct_id, timestamp: "2026-03-01T10:00:00Z" },
      })),
    ])
    const groups = [
      { properties: [{ key: "plan", value: "free" }] },
      { event_id: "buy", days: 3, count: 2, count_operator: "gte" },
    ]
    const { body } = await project.post({ name: "old", groups })
    expect(body.groups).toEqual(groups)
    expect(body.filters.properties.values[1].values[0]).toMatchObject({
      ...{ value: "performed_event_multiple", operator_value: 2, time_value: 3 },
    })
    expect(await membersOf(project, body.id)).toEqual(["ana", "cleo"])
    expect(
      (await project.post({ name: "x", groups: [{ action_id: 5, days: 3 }] })).body,
    ).toMatchObject({ attr: "groups", code: "invalid_input" })
    for (const group of [5, {}, { properties: [] }, { properties: [5] }]) {
      const { status, body: wrong } = await project.post({ name: "x", groups: [group] })
      expect([status, wrong.attr]).toEqual([400, "groups"])
    }
  })

  test("has no list of persons", async () => {
    const project = await addCohortProject(app)
    const filters = filtersOf(is("plan", "free"))
    const id = await makeCohort(project, { filters })
    const added = await project.post({ person_ids: [1] }, `/${id}/add_persons_to_static_cohort`)
    expect(added.status).toBe(400)
    expect(added.body).toMatchObject({ attr: "person_ids", code: "invalid_input" })
    const patched = await project.patch(id, { _create_static_person_ids: [1] })
    expect(patched.body).toMatchObject({ attr: "_create_static_person_ids" })
    const uploaded = await app.call("PATCH", `${project.url}/${id}`, {
      ...{ key: project.key, body: csvForm("ana") },
    })
    expect([uploaded.status, uploaded.body.attr]).toEqual([400, "csv"])
  })
})

describe("a static cohort", () => {
  test("is made of a CSV file: distinct ids in the first column, with or without a header", async () => {
    const project = await addCohortProject(app)
    for (const name of ["ana", 'bo"b', "cleo, the third", "dan"]) await project.person(name)
    const csv =
      '\ufeffdistinct_id,more\r\nana,1\r\n"bo""b","x\r\ny"\r\n"cleo, the third"\n\nnobody\n'
    const { status, body } = await app.call("POST", project.url, {
      ...{ key: project.key, body: csvForm(csv, { name: "listed", is_static: "true" }) },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: "listed", is_static: true, count: 3, filters: null })
    expect(await membersOf(project, body.id)).toEqual(["ana", 'bo"b', "cleo, the third"])
    const more = await app.call("PATCH", `${project.url}/${body.id}`, {
      ...{ key: project.key, body: csvForm("dan") },
    })
    expect(more.body).toMatchObject({ count: 4 })
    expect(await membersOf(project, body.id)).toHaveLength(4)
  })

  test("refuses files without an id, and those that are no text", async () => {
    const project = await addCohortProject(app)
    for (const csv of ["", "\n\n", ",x\n,y", new Uint8Array([0xff, 0xfe, 0x00])]) {
      const { status, body } = await app.call("POST", project.url, {
        ...{ key: project.key, body: csvForm(csv, { name: "listed", is_static: "True" }) },
      })
      expect([status, body.attr]).toEqual([400, "csv"])
    }
    const text = await project.post({ name: "listed", is_static: true, csv: "ana" })
    expect([text.status, text.body.attr]).toEqual([400, "csv"])
  })

  test("is made of numbers and UUIDs of persons; who is not there is left out", async () => {
    const project = await addCohortProject(app)
    const other = await addCohortProject(app)
    const [ana, bob, cleo] = [
      await project.person("ana"),
      await project.person("bob"),
      await other.person("cleo"),
    ]
    const ids = [ana.id, bob.uuid, cleo.id, cleo.uuid, 999_999_999, "99999999999999999999"]
    const id = await makeCohort(project, { is_static: true, _create_static_person_ids: ids })
    expect(await membersOf(project, id)).toEqual(["ana", "bob"])
    const junk = { name: "x", is_static: true, _create_static_person_ids: ["ana"] }
    expect((await project.post(junk)).body).toMatchObject({ attr: "_create_static_person_ids" })
  })

  test("takes persons in and lets them go", async () => {
    const project = await addCohortProject(app)
    const [ana, bob] = [await project.person("ana"), await project.person("bob")]
    const id = await makeCohort(project, { is_static: true })
    expect((await project.get(`/${id}`)).body).toMatchObject({ count: 0, is_calculating: false })
    const add = (person_ids: unknown) =>
      project.post({ person_ids }, `/${id}/add_persons_to_static_cohort`)
    const remove = (person_ids: unknown) =>
      project.post({ person_ids }, `/${id}/remove_person_from_static_cohort`)
    expect((await add([ana.uuid, bob.id, bob.uuid])).body).toMatchObject({ id, count: 2 })
    expect(await membersOf(project, id)).toEqual(["ana", "bob"])
    expect((await remove([ana.id])).body).toMatchObject({ id, count: 1 })
    expect(await membersOf(project, id)).toEqual(["bob"])
    expect((await remove([ana.id])).status).toBe(200)
    expect((await add([])).body).toMatchObject({ attr: "person_ids", code: "min_length" })
    expect((await add(undefined)).body).toMatchObject({ attr: "person_ids", code: "required" })
    expect((await add(["ana"])).body).toMatchObject({ attr: "person_ids", code: "invalid_input" })
  })

  test("may have a query, which is kept, but no filters", async () => {
    const project = await addCohortProject(app)
    const query = { kind: "ActorsQuery", source: { kind: "InsightActorsQuery" } }
    const { body } = await project.post({ name: "asked", is_static: true, query })
    expect(body.query).toEqual(query)
    const filters = filtersOf(is("plan", "free"))
    const wrong: [object, string][] = [
      [{ is_static: true, query, filters }, "query"],
      [{ is_static: false, query }, "query"],
      [{ is_static: true, query: { kind: "HogQLQuery" } }, "query"],
      [{ is_static: true, query: "x" }, "query"],
      [{ is_static: true, filters }, "filters"],
    ]
    for (const [draft, attr] of wrong) {
      const { status, body: refusal } = await project.post({ name: "x", ...draft })
      expect([status, refusal.attr, refusal.code]).toEqual([400, attr, "invalid_input"])
    }
  })

  test("stays what it is", async () => {
    const project = await addCohortProject(app)
    const id = await makeCohort(project, { is_static: true })
    expect((await project.patch(id, { is_static: false })).body).toMatchObject({
      attr: "is_static",
    })
    const filters = filtersOf(is("plan", "free"))
    expect((await project.patch(id, { filters })).body).toMatchObject({ attr: "filters" })
  })
})

describe("a cohort", () => {
  test("is deleted by PATCH, and is nowhere then", async () => {
    const project = await addCohortProject(app)
    const id = await makeCohort(project, { is_static: true })
    const removal = await app.call("DELETE", `${project.url}/${id}`, { key: project.key })
    expect(removal.status).toBe(405)
    expect((await project.patch(id, { deleted: true })).body).toMatchObject({ id, deleted: true })
    expect((await project.get()).body.count).toBe(0)
    for (const path of [`/${id}`, `/${id}/persons`]) {
      expect((await project.get(path)).status).toBe(404)
    }
    expect((await project.patch(id, { deleted: false })).status).toBe(404)
  })

  test("is not found by junk, nor in another project", async () => {
    const project = await addCohortProject(app)
    const other = await addCohortProject(app)
    const id = await makeCohort(other, { is_static: true })
    for (const name of ["x", "0", "99999999999", String(id)]) {
      expect((await project.get(`/${name}`)).status).toBe(404)
      expect((await project.get(`/${name}/persons`)).status).toBe(404)
    }
  })

  test("can be kept as it is, as a static one", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const path = `/${id}/duplicate_as_static_cohort`
    const posted = await project.post({}, path)
    expect([posted.status, posted.body.name]).toEqual([201, "one (static copy)"])
    const got = await project.get(path)
    expect([got.status, got.body.is_static, got.body.count]).toEqual([200, true, 1])
    await project.patch(id, { filters: filtersOf(is("plan", "paid")) })
    for (const copy of [posted.body.id, got.body.id]) {
      expect(await membersOf(project, copy)).toEqual(["ana"])
    }
    const again = await project.post({}, `/${posted.body.id}/duplicate_as_static_cohort`)
    expect([again.status, again.body.code]).toEqual([400, "invalid_input"])
  })

  test("is in the activity log with every change", async () => {
    const project = await addCohortProject(app)
    const ana = await project.person("ana")
    const id = await makeCohort(project, { is_static: true })
    await project.patch(id, { name: "two" })
    await project.patch(id, { name: "two" })
    await project.post({ person_ids: [ana.id] }, `/${id}/add_persons_to_static_cohort`)
    await project.patch(id, { deleted: true })
    const rows = await app.db<
      { activity: string; detail: { changes: { field: string }[] | null } }[]
    >`
      select activity, detail from activity_log
      where scope = 'Cohort' and item_id = ${String(id)} order by created_at, id`
    expect(
      rows.map(({ activity, detail }) => [activity, detail.changes?.map(({ field }) => field)]),
    ).toEqual([
      ["created", undefined],
      ["updated", ["name"]],
      ["updated", ["count"]],
      ["deleted", ["deleted"]],
    ])
  })

  test("shows its persons in pages, and as CSV", async () => {
    const project = await addCohortProject(app)
    const ids: number[] = []
    for (const name of ["ana", "bob", "cleo"]) ids.push((await project.person(name)).id)
    const id = await makeCohort(project, { is_static: true, _create_static_person_ids: ids })
    const page = await project.get(`/${id}/persons?limit=2`)
    expect(page.body).toMatchObject({ count: 3, previous: null, results: [{}, {}] })
    const next = await app.get(page.body.next.replace(app.app.address, ""), project.key)
    expect(next.body).toMatchObject({ count: 3, next: null, results: [{}] })
    expect((await project.get(`/${id}/persons?search=bob`)).body).toMatchObject({ count: 1 })
    expect((await project.get(`/${id}/persons?format=csv`)).text.split("\r\n")).toHaveLength(5)
  })
})
