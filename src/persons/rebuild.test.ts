import { describe, expect, test } from "vitest"
import { useTestApp } from "../../test/support/app.ts"
import { newUuid } from "../lib/ids.ts"
import { asc, column, PERSONS, properties, table } from "../query/build.ts"
import type { TableName } from "../query/tree.ts"
import { rebuildPersons } from "./rebuild.ts"

const app = useTestApp()
const LIMITS = { timeoutMs: 10_000 }

async function rebuild() {
  const { database, columnar } = app.app.services
  const told: string[] = []
  const parts = { database, columnar, ingest: app.app.ingest, tell: told.push.bind(told) }
  return { counts: await rebuildPersons(parts), told }
}

async function copiesOf(name: TableName, projectId: number, key: string) {
  const rows = await app.app.services.columnar.rows(
    {
      columns: [
        { as: "key", expr: column(PERSONS, key) },
        { as: "properties", expr: properties(PERSONS, name === "groups" ? "group" : "person") },
      ],
      from: table(name, PERSONS, projectId),
      orderBy: [asc(column(PERSONS, key))],
    },
    LIMITS,
  )
  return rows.map((row) => ({ key: row.key, ...JSON.parse(String(row.properties)) }))
}

const names = async (projectId: number) =>
  (await copiesOf("persons", projectId, "id")).map(({ name }) => name)

function named(distinct_id: string, name: string) {
  return { event: "$set", distinct_id, properties: { $set: { name } } }
}

describe("rebuilding persons", () => {
  test("brings back copies that are missing or wrong, with their states", async () => {
    const { project } = await app.addOrganization()
    await app.capture(project, [named("a", "Ana"), named("b", "Bo")])
    const { columnar } = app.app.services
    const [ana, bo] = await app.db<{ uuid: string; version: number }[]>`
      select uuid, version from person where project_id = ${project.id} order by id`
    const project_id = project.id
    await columnar.apply({ removed_persons: [{ project_id, uuid: ana?.uuid ?? "" }] })
    const wrong = { id: 1, snapshot_id: 1, is_identified: false, properties: { name: "Nobody" } }
    const times = { created_at: "2026-03-02 10:00:00.000000", version: bo?.version ?? 0 }
    await columnar.apply({ persons: [{ project_id, uuid: bo?.uuid ?? "", ...wrong, ...times }] })
    expect(await names(project.id)).toEqual(["Nobody"])
    expect((await rebuild()).counts).toMatchObject({ removed: 0 })
    expect(await names(project.id)).toEqual(["Ana", "Bo"])
    const states = await copiesOf("person_snapshots", project.id, "snapshot_id")
    expect(states.map(({ name }) => name)).toContain("Ana")
  })

  test("brings back groups", async () => {
    const { project } = await app.addOrganization()
    const $group_set = { seats: 3 }
    const properties = { $group_type: "company", $group_key: "acme", $group_set }
    await app.capture(project, [{ event: "$groupidentify", distinct_id: "a", properties }])
    const wrong = { group_type_index: 0, group_key: "acme", version: 1, properties: {} }
    const created_at = "2026-03-02 10:00:00.000000"
    await app.app.services.columnar.apply({
      groups: [{ project_id: project.id, created_at, ...wrong }],
    })
    expect(await copiesOf("groups", project.id, "group_key")).toEqual([{ key: "acme" }])
    expect((await rebuild()).counts.groups).toBeGreaterThan(0)
    expect(await copiesOf("groups", project.id, "group_key")).toEqual([{ key: "acme", seats: 3 }])
  })

  test("removes copies of persons that are gone, and says how far it is", async () => {
    const { project } = await app.addOrganization()
    await app.capture(project, [named("a", "Ana")])
    const gone = { version: 1, snapshot_id: 1, is_identified: false, properties: { name: "Gone" } }
    const created_at = "2026-03-02 10:00:00.000000"
    await app.app.services.columnar.apply({
      persons: [{ project_id: project.id, id: 999_999, uuid: newUuid(), created_at, ...gone }],
    })
    expect(await names(project.id)).toEqual(["Ana", "Gone"])
    const { counts, told } = await rebuild()
    expect(counts.removed).toBe(1)
    expect(told.some((message) => /\d+ persons rebuilt/.test(message))).toBe(true)
    expect(await names(project.id)).toEqual(["Ana"])
  })

  test("keeps the states that events refer to of merged persons whose copy was left", async () => {
    const { project } = await app.addOrganization()
    const project_id = project.id
    await app.capture(project, [named("a", "Ana")])
    const uuid = newUuid()
    const snapshot_id = 4_000_000
    const merged = { version: 1, snapshot_id, is_identified: false, properties: { name: "Left" } }
    const created_at = "2026-03-02 10:00:00.000000"
    await app.app.services.columnar.apply({
      persons: [{ project_id, id: 999_998, uuid, created_at, ...merged }],
      snapshots: [{ project_id, snapshot_id, person_id: uuid, properties: { name: "Left" } }],
    })
    expect((await rebuild()).counts.removed).toBe(1)
    expect(await names(project.id)).toEqual(["Ana"])
    const states = await copiesOf("person_snapshots", project.id, "snapshot_id")
    expect(states.map(({ name }) => name)).toContain("Left")
  })

  test("keeps every person that ingestion makes and merges meanwhile", async () => {
    const { project } = await app.addOrganization()
    const rounds = Array.from({ length: 12 }, (_, round) => round)
    const ingesting = (async () => {
      for (const round of rounds) {
        await app.capture(project, [
          named(`anonymous-${round}`, `anonymous ${round}`),
          named(`known-${round}`, `known ${round}`),
        ])
        const properties = { $anon_distinct_id: `anonymous-${round}` }
        await app.capture(project, [
          { event: "$identify", distinct_id: `known-${round}`, properties },
        ])
      }
    })()
    let isDone = false
    const rebuilding = (async () => {
      while (!isDone) await rebuild()
    })()
    await ingesting
    isDone = true
    await rebuilding
    const [{ count } = { count: 0 }] = await app.db<{ count: number }[]>`
      select count(*) from person where project_id = ${project.id}`
    expect(await names(project.id)).toHaveLength(count)
    const states = await copiesOf("person_snapshots", project.id, "snapshot_id")
    const kept = states.filter(({ name }) => String(name).startsWith("anonymous"))
    expect(kept.length).toBeGreaterThanOrEqual(rounds.length)
  })
})
