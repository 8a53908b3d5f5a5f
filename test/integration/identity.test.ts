/** The worked cases of identity, from a client's request to what the API says about the persons. */
import { beforeEach, describe, expect, test } from "vitest"
import { type CapturedEvent, useTestApp } from "../support/app.ts"

const app = useTestApp()

interface PersonAnswer {
  readonly uuid: string
  readonly distinct_ids: readonly string[]
  readonly is_identified: boolean
  readonly created_at: string
  readonly properties: Readonly<Record<string, unknown>>
}

let owner: { readonly key: string }
let project: { readonly id: number }

beforeEach(async () => {
  const organization = await app.addOrganization()
  owner = organization.owner
  project = organization.project
})

function send(...events: CapturedEvent[]): Promise<void> {
  return app.capture(project, events)
}

/** Each in a request of its own, each ingested before the next. */
async function sendApart(...events: CapturedEvent[]): Promise<void> {
  for (const event of events) await send(event)
}

async function persons(): Promise<readonly PersonAnswer[]> {
  const { body } = await app.get(`/api/projects/${project.id}/persons`, owner.key)
  return (body as { results: PersonAnswer[] }).results
}

async function personOf(distinctId: string): Promise<PersonAnswer | undefined> {
  return (await persons()).find((person) => person.distinct_ids.includes(distinctId))
}

async function eventsOf(person: PersonAnswer): Promise<readonly string[]> {
  const url = `/api/projects/${project.id}/events?person_id=${person.uuid}&orderBy=["timestamp"]`
  const { body } = await app.get(url, owner.key)
  return (body as { results: { event: string }[] }).results.map(({ event }) => event)
}

async function warnings(): Promise<readonly string[]> {
  const { body } = await app.get(`/api/projects/${project.id}/ingestion_warnings`, owner.key)
  return (body as { results: { type: string }[] }).results.map(({ type }) => type)
}

const plain = (distinct_id: string, rest: Partial<CapturedEvent> = {}): CapturedEvent => ({
  ...{ event: "visited", distinct_id },
  ...rest,
})
const identify = (distinct_id: string, anonymous?: string): CapturedEvent => ({
  ...{ event: "$identify", distinct_id },
  properties: anonymous === undefined ? {} : { $anon_distinct_id: anonymous },
})
const alias = (distinct_id: string, other: string): CapturedEvent => ({
  ...{ event: "$create_alias", distinct_id, properties: { alias: other } },
})
const merge = (distinct_id: string, other: string): CapturedEvent => ({
  ...{ event: "$merge_dangerously", distinct_id, properties: { alias: other } },
})

const BATCHINGS = [
  ["in one request", send],
  ["in requests of their own", sendApart],
] as const

describe.each(BATCHINGS)("events sent %s", (_how, sendAll) => {
  test("I1: identifying two unknown ids makes one identified person", async () => {
    await sendAll(identify("new", "old"))
    expect(await persons()).toMatchObject([{ is_identified: true }])
    expect([...((await personOf("new"))?.distinct_ids ?? [])].sort()).toEqual(["new", "old"])
  })

  test("I2: an unknown anonymous id joins the known person", async () => {
    await sendAll(plain("new"), identify("new", "old"))
    expect(await persons()).toMatchObject([{ is_identified: true }])
    expect((await personOf("old"))?.distinct_ids).toContain("new")
  })

  test("I3: an unknown id joins the known anonymous person", async () => {
    await sendAll(plain("old"), identify("new", "old"))
    expect(await persons()).toMatchObject([{ is_identified: true }])
    expect((await personOf("new"))?.distinct_ids).toContain("old")
  })

  test("I4: ids of one person stay so", async () => {
    await sendAll(identify("new", "old"), identify("new", "old"))
    expect(await persons()).toHaveLength(1)
  })

  test("I5: two unidentified persons become one, as old as the older, with all their events", async () => {
    await sendAll(
      plain("old", { event: "first", timestamp: "2026-02-01T00:00:00Z" }),
      plain("new", { event: "second", timestamp: "2026-02-02T00:00:00Z" }),
      { ...identify("new", "old"), timestamp: "2026-02-03T00:00:00Z" },
    )
    const [person, ...others] = await persons()
    expect(others).toEqual([])
    expect(person).toMatchObject({ is_identified: true, created_at: "2026-02-01T00:00:00Z" })
    expect(await eventsOf(person as PersonAnswer)).toEqual(["first", "second", "$identify"])
  })

  test("I7: an identified person is not merged into another, who becomes identified", async () => {
    await sendAll(identify("old", "older"), plain("new"), identify("new", "old"))
    expect(await persons()).toHaveLength(2)
    expect(await personOf("new")).toMatchObject({ is_identified: true, distinct_ids: ["new"] })
    expect(await warnings()).toEqual(["cannot_merge_already_identified"])
  })

  test("I8: two identified persons stay two", async () => {
    await sendAll(identify("old", "a"), identify("new", "b"), identify("new", "old"))
    expect(await persons()).toHaveLength(2)
  })

  test("I9: unless somebody insists", async () => {
    await sendAll(identify("old", "a"), identify("new", "b"), merge("new", "old"))
    const [person, ...others] = await persons()
    expect(others).toEqual([])
    expect([...(person?.distinct_ids ?? [])].sort()).toEqual(["a", "b", "new", "old"])
    expect(await eventsOf(person as PersonAnswer)).toHaveLength(3)
  })

  test("I11: $unset removes keys", async () => {
    await sendAll(
      plain("d", { $set: { a: 1, b: 2, c: 3 } }),
      plain("d", { properties: { $unset: ["a", "c"] } }),
    )
    expect((await personOf("d"))?.properties).toMatchObject({ b: 2 })
    expect(Object.keys((await personOf("d"))?.properties ?? {})).not.toContain("a")
  })

  test("I12: $set wins over $set_once", async () => {
    await sendAll(plain("d", { $set: { a_prop: "x" }, $set_once: { a_prop: "y" } }))
    expect((await personOf("d"))?.properties).toMatchObject({ a_prop: "x" })
  })

  test("I13: $set_once leaves what is there", async () => {
    await sendAll(
      plain("d", { $set: { a_prop: "test-1", c_prop: "test-1" } }),
      plain("d", { $set_once: { a_prop: "test-2", b_prop: "test-2b" } }),
    )
    expect((await personOf("d"))?.properties).toMatchObject({
      ...{ a_prop: "test-1", b_prop: "test-2b", c_prop: "test-1" },
    })
  })

  test("I14: of a property that both have, the one merged into wins", async () => {
    await sendAll(
      plain("old", { $set: { key_on_both: "old", key_on_old: 1 } }),
      plain("new", { $set: { key_on_both: "new", key_on_new: 2 } }),
      alias("new", "old"),
    )
    expect(await persons()).toMatchObject([
      { properties: { key_on_both: "new", key_on_old: 1, key_on_new: 2 } },
    ])
  })

  test("I18: an alias between two unknown ids makes one identified person", async () => {
    await sendAll(alias("a", "b"))
    expect(await persons()).toMatchObject([{ is_identified: true }])
  })

  test("I19: an id that is a mistake is not merged, and its event is kept", async () => {
    await sendAll(plain("x"), identify("undefined", "x"))
    expect((await personOf("x"))?.distinct_ids).toEqual(["x"])
    expect(await warnings()).toEqual(["cannot_merge_with_illegal_distinct_id"])
    const { body } = await app.get(`/api/projects/${project.id}/events?event=$identify`, owner.key)
    expect((body as { results: unknown[] }).results).toHaveLength(1)
  })

  test("I20: projects never mix", async () => {
    const other = await app.addOrganization()
    await app.capture(other.project, [plain("d", { $set: { of: "other" } })])
    await sendAll(plain("d", { $set: { of: "ours" } }), identify("e", "d"))
    expect(await persons()).toMatchObject([{ properties: { of: "ours" } }])
    const theirs = await app.get(`/api/projects/${other.project.id}/persons`, other.owner.key)
    expect((theirs.body as { results: PersonAnswer[] }).results).toMatchObject([
      { properties: { of: "other" }, distinct_ids: ["d"] },
    ])
  })

  test("events without a profile belong to the person their id is merged into later", async () => {
    const anonymous = { properties: { $process_person_profile: false } }
    await sendAll(plain("anon", { ...anonymous, event: "looked around" }))
    expect(await persons()).toEqual([])
    await sendAll({ ...identify("ana", "anon"), timestamp: "2026-03-02T10:00:00Z" })
    const person = await personOf("ana")
    expect([...(await eventsOf(person as PersonAnswer))].sort()).toEqual([
      "$identify",
      "looked around",
    ])
  })
})

test("a deleted person's distinct id starts over, and old events stay nobody's", async () => {
  await send(plain("d", { event: "before", $set: { plan: "pro" } }))
  const first = await personOf("d")
  const url = `/api/projects/${project.id}/persons/${first?.uuid}`
  expect((await app.delete(url, owner.key)).status).toBe(204)
  expect(await persons()).toEqual([])

  await send(plain("d", { event: "after" }))
  const second = await personOf("d")
  expect(second?.uuid).not.toBe(first?.uuid)
  expect(second?.properties).not.toHaveProperty("plan")
  expect(await eventsOf(second as PersonAnswer)).toEqual(["after"])
})
