import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import { BatchTooLarge } from "../lib/batch-too-large.ts"
import { newUuid } from "../lib/ids.ts"
import type { Database } from "../relational/db.ts"
import { PersonCache } from "./cache.ts"
import { loadPersonsWithin } from "./ingest-store.ts"
import { readPersons } from "./reading.ts"

let database: Database
let projectId = 0

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** In a project of their own: persons with so many bytes of text, each with these distinct ids. */
async function addPersons(...persons: readonly { ids: readonly string[]; textBytes: number }[]) {
  projectId += 1
  for (const { ids, textBytes } of persons) {
    await database.db`
      with made as (
        insert into person (project_id, uuid, properties, is_identified, created_at, snapshot_id)
        values (${projectId}, ${newUuid()}, json_build_object('text', repeat('x', ${textBytes})),
                true, '2026-01-02 03:04:05.123456Z', nextval('person_snapshot'))
        returning id)
      insert into person_distinct_id (project_id, distinct_id, person_id)
      select ${projectId}, w.distinct_id, made.id from made, unnest(${[...ids]}::text[]) w (distinct_id)`
  }
  return (...ids: readonly string[]) =>
    ids.map((distinct_id) => ({ project_id: projectId, distinct_id }))
}

const ALL = { maxBytes: 10_000_000, isPartAllowed: false }
const textLength = ({ properties }: { readonly properties: object }) =>
  "text" in properties ? String(properties.text).length : undefined

describe("persons of distinct ids", () => {
  test("are read whole, small and large, and ids of one person have one object", async () => {
    const idsOf = await addPersons(
      { ids: ["a", "b"], textBytes: 10 },
      { ids: ["c", "d"], textBytes: 3_000_000 },
      { ids: ["e"], textBytes: 2_000_000 },
    )
    const found = await readPersons(database.db, idsOf("a", "b", "c", "d", "e", "nobody"), ALL)
    const byId = new Map(found.map(({ distinct_id, person }) => [distinct_id, person]))
    expect([...byId.keys()].toSorted()).toEqual(["a", "b", "c", "d", "e"])
    expect(byId.get("b")).toBe(byId.get("a"))
    expect(byId.get("d")).toBe(byId.get("c"))
    expect(byId.get("a")).toMatchObject({
      ...{ version: 1, is_identified: true, created_at: "2026-01-02 03:04:05.123456" },
      properties: { text: "xxxxxxxxxx" },
    })
    expect([...byId.values()].map(textLength).toSorted()).toEqual(
      [10, 10, 3_000_000, 3_000_000, 2_000_000].toSorted(),
    )
    expect(byId.get("c")?.properties_bytes).toBeGreaterThanOrEqual(3_000_000)
  })

  test("are found whatever their number", async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `id ${index}`)
    const idsOf = await addPersons({ ids, textBytes: 1 })
    const found = await readPersons(database.db, idsOf(...ids), ALL)
    expect(new Set(found.map(({ distinct_id }) => distinct_id)).size).toBe(2_500)
    expect(new Set(found.map(({ person }) => person)).size).toBe(1)
  })
})

describe("persons that are too many to be in memory together", () => {
  const persons = [
    ...[1_000, 50_000, 20_000, 1_000, 30_000].map((textBytes, index) => ({
      ...{ ids: [`p${index}`], textBytes },
    })),
  ]
  const names = ["p0", "p1", "p2", "p3", "p4"]

  test("are an error of their own", async () => {
    const idsOf = await addPersons(...persons)
    const read = (maxBytes: number) =>
      readPersons(database.db, idsOf(...names), { maxBytes, isPartAllowed: false })
    await expect(read(100_000)).rejects.toThrow(BatchTooLarge)
    expect(await read(110_000)).toHaveLength(5)
  })

  test("are read in part where that is asked, the largest not", async () => {
    const idsOf = await addPersons(...persons)
    const read = async (maxBytes: number) => {
      const bounds = { maxBytes, isPartAllowed: true }
      const found = await readPersons(database.db, idsOf(...names), bounds)
      expect(found.map(({ distinct_id }) => distinct_id).toSorted()).toEqual(names)
      const unread = found.filter(({ person }) => person.is_unread)
      for (const { person } of unread) {
        expect(person).toMatchObject({ properties: {}, snapshot_id: expect.any(Number) })
      }
      return unread.map(({ distinct_id }) => distinct_id).toSorted()
    }
    expect(await read(110_000)).toEqual([])
    expect(await read(60_000)).toEqual(["p1"])
    expect(await read(30_000)).toEqual(["p1", "p4"])
    expect(await read(1_500)).toEqual(["p1", "p2", "p3", "p4"])
  })

  test("are cached only if they were read", async () => {
    const idsOf = await addPersons(...persons)
    const cache = new PersonCache()
    const bounds = { maxBytes: 60_000, isPartAllowed: true }
    const loaded = await loadPersonsWithin(database.db, idsOf(...names), { cache, ...bounds })
    expect(loaded.find(projectId, "p1")?.is_unread).toBe(true)
    expect(cache.find(projectId, "p1")).toBeUndefined()
    expect(cache.find(projectId, "p4")).toBe(loaded.find(projectId, "p4"))
    expect(cache.find(projectId, "p4")?.is_unread).toBeUndefined()
  })
})
