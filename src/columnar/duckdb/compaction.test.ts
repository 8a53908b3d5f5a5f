import { readdir, readFile, stat } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import {
  append,
  eventOf,
  openEngine,
  openFolder,
  personOf,
  readOwners,
  readProperties,
  readTable,
  snapshotOf,
  uuidOf,
} from "./testing.ts"

/** Not compressible and not a dictionary's word: the bytes are in the file as they are. */
const SECRET = "kx7Qz-the-secret-of-ana-9fJw2"

async function filesWith(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const found: string[] = []
  for (const name of names) {
    const file = path.join(folder, name)
    if ((await stat(file)).isFile() && (await readFile(file)).includes(text)) found.push(name)
  }
  return found
}

test("after a compaction nothing deleted is in any file, and the space is given back", async () => {
  await using place = await openFolder()
  const { folder } = place
  await using engine = await openEngine(folder)
  const secret = Array.from({ length: 3_000 }, (_, index) =>
    eventOf(index, {
      event: `${SECRET}${index}`,
      person_id: uuidOf(902),
      properties: { [`${SECRET}${index}`]: `${SECRET}${index}`.repeat(20) },
    }),
  )
  await append(engine, 1, {
    events: [...secret, eventOf(9_000)],
    persons: [personOf(902, { properties: { email: SECRET } }), personOf(901)],
    snapshots: [snapshotOf(1, { person_id: uuidOf(902), properties: { name: SECRET } })],
  })
  expect(await filesWith(folder, SECRET)).not.toEqual([])
  const deletion = { project_id: 1, person_id: uuidOf(902), until: "2026-02-01 00:00:00" }
  expect(await engine.deleteEvents([deletion])).toBe(3_000)
  await engine.apply({ removed_persons: [{ project_id: 1, uuid: uuidOf(902) }] })
  await engine.compact()
  expect(await filesWith(folder, SECRET)).toEqual([])
  expect(Object.keys(await readOwners(engine))).toEqual([uuidOf(9_000)])
  expect(await readTable(engine, "persons", ["id"])).toEqual([{ id: 901 }])
  expect(await engine.findPosition("log")).toBe(1)
  await append(engine, 2, { events: [eventOf(9_001)] })
  await engine.compact()
  expect((await readProperties(engine)).size).toBe(2)
})

test("queries and appends that come during a compaction are answered rightly", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = Array.from({ length: 5_000 }, (_, index) => eventOf(index))
  await append(engine, 1, { events })
  const compaction = engine.compact()
  const counts: Promise<number>[] = []
  for (let index = 0; index < 20; index++) {
    counts.push(readProperties(engine).then((rows) => rows.size))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await append(engine, 2, { events: [eventOf(6_000)] })
  await compaction
  for (const count of await Promise.all(counts)) expect([5_000, 5_001]).toContain(count)
  expect((await readProperties(engine)).size).toBe(5_001)
})

test("a backup is a store of its own, of one moment", async () => {
  await using place = await openFolder()
  await using elsewhere = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    events: [eventOf(1, { properties: { a: "b" } })],
    persons: [personOf(1)],
  })
  await engine.backup(elsewhere.folder)
  await append(engine, 2, { events: [eventOf(2)] })
  await engine.backup(path.join(elsewhere.folder, "later"))
  await using copy = await openEngine(elsewhere.folder)
  expect(await copy.migrate()).toEqual([])
  expect(await readProperties(copy)).toEqual(new Map([[uuidOf(1), { a: "b" }]]))
  expect(await copy.findPosition("log")).toBe(1)
  await append(copy, 2, { events: [eventOf(3)] })
  expect((await readProperties(copy)).size).toBe(2)
})

test("a store that was closed opens with all it had", async () => {
  await using place = await openFolder()
  {
    await using engine = await openEngine(place.folder)
    await append(engine, 1, { events: [eventOf(1)] })
    await engine.compact()
    await append(engine, 2, { events: [eventOf(2)] })
  }
  expect((await readdir(place.folder)).filter((name) => name.startsWith("store"))).toHaveLength(1)
  await using engine = await openEngine(place.folder)
  expect((await readProperties(engine)).size).toBe(2)
})
