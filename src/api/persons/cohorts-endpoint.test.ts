import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import {
  addCohortProject,
  type CohortProject,
  filtersOf,
  is,
  makeCohort,
  membersOf,
} from "../../../test/support/cohorts.ts"

const app = useTestApp()

function cohortsOf({ projectId, key }: CohortProject, query: string) {
  return app.get(`/api/projects/${projectId}/persons/cohorts${query}`, key)
}

describe("the cohorts of a person", () => {
  test("are all that it is in, dynamic and static, beside the person", async () => {
    const project = await addCohortProject(app)
    const csv = (name: string, list: string) => {
      const form = new FormData()
      form.set("name", name)
      form.set("is_static", "true")
      form.set("csv", new File([list], "list.csv"))
      return app.call("POST", project.url, { key: project.key, body: form })
    }
    await project.person("1", { $some_prop: "something", number: 1 })
    const two = await project.person("2", { $some_prop: "something", number: 2 })
    await makeCohort(project, { name: "c1", filters: filtersOf(is("$some_prop", "something")) })
    await makeCohort(project, { name: "c2", filters: filtersOf(is("number", 1)) })
    await makeCohort(project, { name: "c3", filters: filtersOf(is("number", 2)) })
    await csv("c4", "2")
    for (const name of [two.id, two.uuid]) {
      const { status, body } = await cohortsOf(project, `?person_id=${name}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id: two.id, uuid: two.uuid, distinct_ids: ["2"], count: 3 })
      const shown = body.results.map(({ name: label, count }: { name: string; count: number }) => [
        label,
        count,
      ])
      expect(shown.toSorted()).toEqual([
        ["c1", 2],
        ["c3", 1],
        ["c4", 1],
      ])
    }
  })

  test("are without those that are deleted, and come in pages", async () => {
    const project = await addCohortProject(app)
    const { id } = await project.person("ana", { plan: "free" })
    const filters = filtersOf(is("plan", "free"))
    const ids = [
      await makeCohort(project, { filters }),
      await makeCohort(project, { filters }),
      await makeCohort(project, { is_static: true, _create_static_person_ids: [id] }),
    ]
    const page = await cohortsOf(project, `?person_id=${id}&limit=1`)
    expect(page.body).toMatchObject({ count: 3, results: [{ id: ids[2] }], previous: null })
    expect(page.body.next).toContain("offset=1")
    await project.patch(ids[0] ?? 0, { deleted: true })
    await project.patch(ids[2] ?? 0, { deleted: true })
    const left = await cohortsOf(project, `?person_id=${id}`)
    expect(left.body).toMatchObject({ count: 1, results: [{ id: ids[1] }] })
  })

  test("need a person, and one of the project", async () => {
    const project = await addCohortProject(app)
    const other = await addCohortProject(app)
    const foreign = await other.person("ana")
    const none = await cohortsOf(project, "")
    expect([none.status, none.body.attr, none.body.code]).toEqual([400, "person_id", "required"])
    expect((await cohortsOf(project, "?person_id=x")).status).toBe(400)
    for (const name of [foreign.id, foreign.uuid, "99999999999999999999"]) {
      expect((await cohortsOf(project, `?person_id=${name}`)).status).toBe(404)
    }
  })

  test("need the scopes of persons and of cohorts", async () => {
    const project = await addCohortProject(app)
    const { id } = await project.person("ana")
    const statusOf = async (scopes: string[]) => {
      const draft = { label: "k", scopes }
      const { body } = await app.post("/api/personal_api_keys", project.key, draft)
      return (await cohortsOf({ ...project, key: body.value }, `?person_id=${id}`)).status
    }
    expect(await statusOf(["person:read"])).toBe(403)
    expect(await statusOf(["cohort:read"])).toBe(403)
    expect(await statusOf(["cohort:read", "person:write"])).toBe(200)
  })
})

describe("persons that change", () => {
  test("are members as whom they were merged into, of static and dynamic cohorts", async () => {
    const project = await addCohortProject(app)
    const place = { id: project.projectId }
    const at = { timestamp: "2026-03-01T10:00:00Z" }
    await app.capture(place, [
      { event: "buy", distinct_id: "anon-1-2-3-4", ...at, $set: { plan: "free" } },
      { event: "look", distinct_id: "ana", ...at },
    ])
    const did = {
      ...{ type: "behavioral", key: "buy", value: "performed_event" },
      ...{ time_value: 3, time_interval: "day" },
    }
    const dynamic = await makeCohort(project, { filters: filtersOf(did) })
    const [{ id = 0 } = {}] = await app.db<{ id: number }[]>`
      select person_id as id from person_distinct_id
      where project_id = ${project.projectId} and distinct_id = 'anon-1-2-3-4'`
    const draft = { is_static: true, _create_static_person_ids: [id] }
    const listed = await makeCohort(project, draft)
    await app.capture(place, [
      {
        ...{ event: "$identify", distinct_id: "ana", ...at },
        properties: { $anon_distinct_id: "anon-1-2-3-4" },
      },
    ])
    for (const cohort of [dynamic, listed]) {
      expect(await membersOf(project, cohort)).toEqual(["ana"])
      expect((await project.get(`/${cohort}`)).body.count).toBe(1)
    }
    await app.app.services.columnar.squashOverrides()
    for (const cohort of [dynamic, listed]) {
      expect(await membersOf(project, cohort)).toEqual(["ana"])
    }
    const shown = await cohortsOf(project, `?person_id=${await personOf(project, "ana")}`)
    expect(shown.body.count).toBe(2)
  })

  test("are members no longer when they are deleted, and keep their place when they are split", async () => {
    const project = await addCohortProject(app)
    const ana = await project.person("ana", { plan: "free" })
    const bob = await project.person("bob", { plan: "free" })
    const dynamic = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const draft = { is_static: true, _create_static_person_ids: [ana.id, bob.id] }
    const listed = await makeCohort(project, draft)
    const persons = `/api/projects/${project.projectId}/persons`
    await app.call("DELETE", `${persons}/${ana.id}`, { key: project.key })
    for (const cohort of [dynamic, listed]) {
      expect(await membersOf(project, cohort)).toEqual(["bob"])
    }
    expect((await project.get(`/${listed}`)).body.count).toBe(1)
    await app.post(`${persons}/${bob.id}/split`, project.key, { main_distinct_id: "bob" })
    expect(await membersOf(project, listed)).toEqual(["bob"])
  })

  test("are found by a filter on a cohort, in the lists of persons and events", async () => {
    const project = await addCohortProject(app)
    await app.capture({ id: project.projectId }, [
      { event: "look", distinct_id: "ana", $set: { plan: "free" } },
      { event: "look", distinct_id: "bob" },
    ])
    const id = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const listed = async (path: string, operator: string) => {
      const properties = JSON.stringify([{ type: "cohort", key: "id", value: id, operator }])
      const query = new URLSearchParams({ properties })
      const url = `/api/projects/${project.projectId}/${path}?${query}`
      return (await app.get(url, project.key)).body.results
    }
    expect(await listed("persons", "in")).toMatchObject([{ distinct_ids: ["ana"] }])
    expect(await listed("persons", "not_in")).toMatchObject([{ distinct_ids: ["bob"] }])
    expect(await listed("events", "in")).toMatchObject([{ distinct_id: "ana" }])
    const persons = `/api/projects/${project.projectId}/persons`
    const inIt = await app.get(`${persons}?cohort=${id}`, project.key)
    expect(inIt.body).toMatchObject({ count: 1, results: [{ distinct_ids: ["ana"] }] })
    expect((await app.get(`${persons}?cohort=x`, project.key)).body).toMatchObject({
      attr: "cohort",
    })
    await project.patch(id, { deleted: true })
    expect(await listed("events", "in")).toEqual([])
    expect(await listed("events", "not_in")).toHaveLength(2)
  })
})

async function personOf({ projectId }: CohortProject, distinctId: string): Promise<number> {
  const [row] = await app.db<{ id: number }[]>`
    select person_id as id from person_distinct_id
    where project_id = ${projectId} and distinct_id = ${distinctId}`
  return row?.id ?? 0
}
