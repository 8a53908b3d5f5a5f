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

describe("filters", () => {
  const did = {
    ...{ type: "behavioral", key: "buy", value: "performed_event" },
    ...{ time_value: 3, time_interval: "day" },
  }
  const pause = { ...did, value: "stopped_performing_event" }

  test.each<[string, unknown]>([
    ["text", "plan"],
    ["a list", []],
    ["without properties", {}],
    ["with a list of properties", { properties: [is("plan", 1)] }],
    ["without a type", { properties: { values: [is("plan", 1)] } }],
    ["with an unknown type", { properties: { type: "XOR", values: [is("plan", 1)] } }],
    ["without values", { properties: { type: "AND" } }],
    ["without a condition", { properties: { type: "AND", values: [] } }],
    ["with an empty group", { properties: { type: "AND", values: [{ type: "OR", values: [] }] } }],
    ["with a number for a condition", filtersOf(5)],
    ["of events", filtersOf({ type: "event", key: "a", value: 1 })],
    ["without a key", filtersOf({ type: "person", value: 1 })],
    ["without a value", filtersOf({ type: "person", key: "plan" })],
    ["with an unknown operator", filtersOf({ ...is("plan", 1), operator: "like" })],
    ["with a wrong negation", filtersOf({ ...is("plan", 1), negation: "yes" })],
    ["with nothing but a negation", filtersOf({ ...is("plan", 1), negation: true })],
    [
      "with a negation as a choice",
      {
        properties: { type: "OR", values: [is("a", 1), { ...is("b", 1), negation: true }] },
      },
    ],
    ["with a cohort that is none", filtersOf({ type: "cohort", key: "id", value: "x" })],
    ["with a cohort by another key", filtersOf({ type: "cohort", key: "name", value: 1 })],
    ["with no cohort", filtersOf({ type: "cohort", key: "id", value: [] })],
    [
      "with a wrong operator of cohorts",
      filtersOf({ ...{ type: "cohort", key: "id" }, value: 1, operator: "gt" }),
    ],
    ["with an unknown behavior", filtersOf({ ...did, value: "danced" })],
    ["with no behavior", filtersOf({ ...did, value: undefined })],
    ["with an action", filtersOf({ ...did, event_type: "actions", key: 5 })],
    ["with a number for an event", filtersOf({ ...did, key: 5 })],
    ["with an unknown interval", filtersOf({ ...did, time_interval: "fortnight" })],
    ["with no time", filtersOf({ ...did, time_value: 0 })],
    ["with half a day", filtersOf({ ...did, time_value: 0.5 })],
    ["with too long a time", filtersOf({ ...did, time_value: 101, time_interval: "year" })],
    ["with a date that is none", filtersOf({ ...did, explicit_datetime: "soon" })],
    ["with a number for a date", filtersOf({ ...did, explicit_datetime: 5 })],
    ["with an end and no start", filtersOf({ ...did, explicit_datetime_to: "-1d" })],
    [
      "with an end before the start",
      filtersOf({ ...did, explicit_datetime: "-1d", explicit_datetime_to: "-3d" }),
    ],
    ["with no frequency", filtersOf({ ...did, value: "performed_event_multiple" })],
    [
      "with a frequency of zero",
      filtersOf({ ...did, value: "performed_event_multiple", operator_value: 0 }),
    ],
    [
      "with an unknown comparison",
      filtersOf({ ...did, value: "performed_event_multiple", operator: "near", operator_value: 1 }),
    ],
    [
      "with half a sequence",
      filtersOf({ ...did, value: "performed_event_sequence", seq_event: "look" }),
    ],
    [
      "with a sequence of one",
      filtersOf({
        ...did,
        value: "performed_event_sequence",
        seq_time_value: 1,
        seq_time_interval: "day",
      }),
    ],
    [
      "with more periods than there are",
      filtersOf({ ...did, value: "performed_event_regularly", total_periods: 2, min_periods: 3 }),
    ],
    [
      "with periods by dates",
      filtersOf({
        ...did,
        value: "performed_event_regularly",
        total_periods: 2,
        min_periods: 1,
        explicit_datetime: "-3d",
      }),
    ],
    [
      "with a pause longer than the time",
      filtersOf({ ...pause, seq_time_value: 1, seq_time_interval: "week" }),
    ],
    [
      "with a cohort among the filters of events",
      filtersOf({ ...did, event_filters: [{ type: "cohort", key: "id", value: 1 }] }),
    ],
    [
      "with wrong filters of events",
      filtersOf({ ...did, event_filters: [{ type: "planet", key: "a", value: 1 }] }),
    ],
    ["with no list of filters of events", filtersOf({ ...did, event_filters: "{" })],
  ])("%s are refused, by name", async (_what, filters) => {
    const { post } = await sharedProject()
    const { status, body } = await post({ name: "x", filters })
    expect(body).toMatchObject({ type: "validation_error", code: "invalid_input", attr: "filters" })
    expect(status).toBe(400)
  })

  test("must be there, and a name must say something", async () => {
    const { post } = await sharedProject()
    expect((await post({ name: "x" })).body).toMatchObject({ attr: "filters", code: "required" })
    expect((await post({ name: "x", filters: null })).body).toMatchObject({ attr: "filters" })
    const filters = filtersOf(is("plan", 1))
    expect((await post({ filters })).body).toMatchObject({ attr: "name", code: "required" })
    expect((await post({ name: " ", filters })).body).toMatchObject({ attr: "name", code: "blank" })
  })

  let shared: Promise<CohortProject> | undefined
  function sharedProject(): Promise<CohortProject> {
    shared ??= addCohortProject(app)
    return shared
  }
})

describe("cohorts of cohorts", () => {
  const inCohort = (value: number) => ({ type: "cohort", key: "id", value })

  test("follow what they are made of", async () => {
    const project = await addCohortProject(app)
    await project.person("ana", { plan: "free" })
    await project.person("bob", { plan: "paid" })
    const plan = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const same = await makeCohort(project, { filters: filtersOf(inCohort(plan)) })
    const again = await makeCohort(project, { filters: filtersOf(inCohort(same)) })
    const others = await makeCohort(project, {
      filters: filtersOf(
        { type: "person", key: "plan", operator: "is_set" },
        { ...inCohort(plan), negation: true },
      ),
    })
    expect(await membersOf(project, again)).toEqual(["ana"])
    expect(await membersOf(project, others)).toEqual(["bob"])
    await project.patch(plan, { filters: filtersOf(is("plan", "paid")) })
    expect(await membersOf(project, again)).toEqual(["bob"])
    expect(await membersOf(project, others)).toEqual(["ana"])
    await project.patch(plan, { deleted: true })
    expect(await membersOf(project, again)).toEqual([])
    expect(await membersOf(project, others)).toEqual(["ana", "bob"])
  })

  test("name only cohorts of the project that are there", async () => {
    const project = await addCohortProject(app)
    const other = await addCohortProject(app)
    const foreign = await makeCohort(other, { is_static: true })
    const gone = await makeCohort(project, { is_static: true })
    await project.patch(gone, { deleted: true })
    for (const id of [foreign, gone, 2_000_000_000]) {
      const { status, body } = await project.post({ name: "x", filters: filtersOf(inCohort(id)) })
      expect(status).toBe(400)
      expect(body).toMatchObject({ attr: "filters", code: "does_not_exist" })
    }
  })

  test("are not made of themselves, near or far", async () => {
    const project = await addCohortProject(app)
    const first = await makeCohort(project, { filters: filtersOf(is("plan", "free")) })
    const second = await makeCohort(project, { filters: filtersOf(inCohort(first)) })
    const third = await makeCohort(project, { filters: filtersOf(inCohort(second)) })
    for (const id of [first, second, third]) {
      const { status, body } = await project.patch(first, { filters: filtersOf(inCohort(id)) })
      expect(status).toBe(400)
      expect(body).toMatchObject({ attr: "filters", code: "invalid_input" })
    }
  })

  test("written at the same moment make no loop", async () => {
    const project = await addCohortProject(app)
    const ids = [
      await makeCohort(project, { filters: filtersOf(is("plan", "free")) }),
      await makeCohort(project, { filters: filtersOf(is("plan", "free")) }),
    ] as const
    const answers = await Promise.all([
      project.patch(ids[0], { filters: filtersOf(inCohort(ids[1])) }),
      project.patch(ids[1], { filters: filtersOf(inCohort(ids[0])) }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})
