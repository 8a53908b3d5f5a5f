import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import {
  append,
  batchOf,
  eventOf,
  openEngine,
  openFolder,
  personOf,
  readProperties,
  readTable,
  SLOW_QUERY,
} from "./testing.ts"

test("a folder has one owner", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await expect(openEngine(place.folder)).rejects.toThrow(/is held by/)
  expect(await engine.migrate()).toEqual([])
})

test("a staged batch whose manifest names other columns than those of properties is refused", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const prepared = await engine.prepare(batchOf(1, { events: [eventOf(1)] }))
  const file = path.join(prepared.folder, "manifest.json")
  const { mark, manifest } = JSON.parse(await readFile(file, "utf8"))
  const columns = [{ column: 'p_1" FROM x --', type: "text" }]
  await writeFile(file, JSON.stringify({ mark, manifest: { ...manifest, columns } }))
  await expect(engine.append(prepared)).rejects.toThrow(/pattern/)
})

test("ids of changes are forgotten once they are settled", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await engine.apply({}, { id: 4, settledBefore: 4 })
  await engine.apply({}, { id: 6, settledBefore: 4 })
  await engine.apply({ persons: [personOf(901)] }, { id: 5, settledBefore: 5 })
  await engine.apply({ persons: [personOf(902)] }, { id: 6, settledBefore: 6 })
  await engine.apply({ persons: [personOf(903)] }, { id: 4, settledBefore: 4 })
  expect(await readTable(engine, "persons", ["id"])).toEqual([{ id: 901 }, { id: 903 }])
})

test("appends go on beside a slow query, which stops when its caller has gone", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = Array.from({ length: 3_000 }, (_, index) => eventOf(index))
  await append(engine, 1, { events })
  const aborter = new AbortController()
  const running = engine.rows(SLOW_QUERY, { timeoutMs: 20_000, signal: aborter.signal })
  await append(engine, 2, { events: [eventOf(5_000)] })
  aborter.abort(new Error("gone"))
  await expect(running).rejects.toThrow("gone")
  expect((await readProperties(engine)).size).toBe(3_001)
})
