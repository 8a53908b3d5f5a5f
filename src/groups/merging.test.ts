import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestDatabase } from "../../test/support/database.ts"
import { BatchTooLarge } from "../lib/batch-too-large.ts"
import type { JsonObject } from "../lib/json.ts"
import type { Database } from "../relational/db.ts"
import { mergeGroups } from "./merging.ts"
import { listGroups, writeGroups } from "./store.ts"

let database: Database
let projectId = 0

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const update = (group_key: string, properties: JsonObject) => ({
  ...{ project_id: projectId, group_type_index: 0, group_key, properties },
  created_at: "2026-01-02 00:00:00.000000",
})

/** In a project of their own: groups with texts of these lengths. */
async function addGroups(lengths: Readonly<Record<string, number>>): Promise<void> {
  projectId += 1
  const groups = Object.entries(lengths).map(([key, length]) => ({
    ...update(key, { text: "x".repeat(length) }),
    version: 1,
  }))
  expect(await writeGroups(database.db, groups)).toBe(groups.length)
}

test("updates go over what is stored, small, large or new", async () => {
  await addGroups({ small: 10, large: 500_000, larger: 510_000 })
  const updates = ["small", "large", "larger", "new"].map((key) => update(key, { n: key }))
  const { rows, warnings } = await mergeGroups(database.db, updates, { isPartAllowed: false })
  expect(warnings).toEqual([])
  expect(await writeGroups(database.db, rows)).toBe(4)
  const stored = await listGroups(database.db, updates)
  expect(
    stored
      .map(({ group_key, version, properties }) => [
        ...[group_key, version, properties.n, String(properties.text ?? "").length],
      ])
      .toSorted(),
  ).toEqual([
    ["large", 2, "large", 500_000],
    ["larger", 2, "larger", 510_000],
    ["new", 1, "new", 0],
    ["small", 2, "small", 10],
  ])
})

test("a group that would become too large stays as it is, with a warning", async () => {
  await addGroups({ a: 300_000, b: 10 })
  const big = { more: "y".repeat(300_000) }
  const updates = [update("a", big), update("b", big)]
  const { rows, warnings } = await mergeGroups(database.db, updates, { isPartAllowed: false })
  expect(rows.map(({ group_key }) => group_key)).toEqual(["b"])
  expect(warnings.map(({ type }) => type)).toEqual(["group_properties_size_violation"])
})

test("groups too many to be in memory are an error, or left as they are, the largest first", async () => {
  await addGroups({ a: 50_000, b: 10_000, c: 40_000 })
  const updates = ["a", "b", "c", "new"].map((key) => update(key, { n: 1 }))
  const merge = (isPartAllowed: boolean) =>
    mergeGroups(database.db, updates, { isPartAllowed, maxBytes: 60_000 })
  await expect(merge(false)).rejects.toThrow(BatchTooLarge)
  const { rows, warnings } = await merge(true)
  expect(rows.map(({ group_key }) => group_key).toSorted()).toEqual(["b", "c", "new"])
  expect(warnings).toEqual([
    {
      project_id: projectId,
      type: "request_names_too_many_large_groups",
      details: { group_type_index: 0, group_key: "a" },
    },
  ])
})

test("many groups are written in several statements", async () => {
  await addGroups(
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`g${index}`, 500_000])),
  )
  const keys = Array.from({ length: 30 }, (_, index) => update(`g${index}`, {}))
  expect(await listGroups(database.db, keys)).toHaveLength(30)
})
