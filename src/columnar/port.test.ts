import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { openEngine, openFolder } from "../../test/support/columnar-engine.ts"
import {
  ALL_EVENTS,
  append,
  batchOf,
  columnOf,
  eventOf,
  LIMITS,
  personOf,
  readProperties,
  readTable,
  SLOW_QUERY,
  snapshotOf,
  uuidOf,
} from "./duckdb/testing.ts"

test("an appended event is read back, times and ids as text", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    events: [
      eventOf(1, { snapshot_id: 7, properties: { a: 1 } }),
      eventOf(2, { timestamp: "2026-01-02 03:04:05" }),
    ],
  })
  const names = ["project_id", "uuid", "timestamp", "person_id", "snapshot_id"]
  const columns = names.map((name) => ({ as: name, expr: columnOf("e", name) }))
  const rows = await engine.rows({ ...ALL_EVENTS, columns }, LIMITS)
  expect(rows).toEqual([
    {
      project_id: 1,
      uuid: uuidOf(1),
      timestamp: "2026-01-02T03:04:05.678901Z",
      person_id: uuidOf(901),
      snapshot_id: 7,
    },
    {
      project_id: 1,
      uuid: uuidOf(2),
      timestamp: "2026-01-02T03:04:05Z",
      person_id: uuidOf(901),
      snapshot_id: null,
    },
  ])
})

test("a batch is stored once, however often it is appended", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  expect(await engine.findPosition("log")).toBeUndefined()
  await append(engine, 5, { events: [eventOf(1)] })
  await append(engine, 5, { events: [eventOf(2)] })
  await append(engine, 4, { events: [eventOf(3)] })
  expect([...(await readProperties(engine)).keys()]).toEqual([uuidOf(1)])
  expect(await engine.findPosition("log")).toBe(5)
})

test("a client's retry counts once, within a batch and across batches", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const late = { timestamp: "2026-01-02 23:04:05", properties: { which: "late" } }
  await append(engine, 1, {
    events: [eventOf(1, { properties: { which: "first" } }), eventOf(1, late)],
  })
  await append(engine, 2, { events: [eventOf(1, late), eventOf(2), eventOf(1, { project_id: 2 })] })
  const stored = await readProperties(engine)
  expect(stored.get(uuidOf(1))).toEqual({ which: "first" })
  expect([...stored.keys()].sort()).toEqual([uuidOf(1), uuidOf(2)])
  const from = { kind: "table", table: "events", alias: "e", project_id: 2 } as const
  expect(await engine.rows({ ...ALL_EVENTS, from }, LIMITS)).toHaveLength(1)
})

test("what a crash left prepared is found, oldest first, and half a batch is swept away", async () => {
  await using place = await openFolder()
  const { folder } = place
  {
    await using engine = await openEngine(folder)
    await engine.prepare(batchOf(12, { events: [eventOf(12)] }))
    await engine.prepare(batchOf(2, { events: [eventOf(2)] }))
    const half = await engine.prepare(batchOf(3, { events: [eventOf(3)] }))
    await rm(path.join(half.folder, "manifest.json"))
  }
  await using engine = await openEngine(folder)
  const prepared = await engine.listPrepared("log")
  expect(prepared.map(({ mark }) => mark.position)).toEqual([2, 12])
  for (const batch of prepared) await engine.append(batch)
  expect([...(await readProperties(engine)).keys()].sort()).toEqual([uuidOf(2), uuidOf(12)])
  expect(await readdir(path.join(folder, "staged"))).toEqual([])
})

test("a newer version of a person replaces an older one, never the other way round", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const version = (number: number) =>
    personOf(1, { version: number, properties: { email: `v${number}@example.com` } })
  await append(engine, 1, { persons: [version(2), version(3), version(1)] })
  const read = () => readTable(engine, "persons", ["id", "version", "email"])
  expect(await read()).toEqual([{ id: 1, version: 3, email: "v3@example.com" }])
  await append(engine, 2, { persons: [version(2)] })
  expect(await read()).toEqual([{ id: 1, version: 3, email: "v3@example.com" }])
  await append(engine, 3, { persons: [version(4), personOf(2, { properties: { email: 5 } })] })
  expect(await read()).toEqual([
    { id: 1, version: 4, email: "v4@example.com" },
    { id: 2, version: 1, email: null },
  ])
})

test("groups follow the same rule", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const group = (version: number) => ({
    project_id: 1,
    group_type_index: 0,
    group_key: 'o\'hara "&" sons',
    version,
    created_at: "2026-01-01 00:00:00",
    properties: {},
  })
  await append(engine, 1, { groups: [group(2), group(1)] })
  await append(engine, 2, { groups: [group(1)] })
  expect(await readTable(engine, "groups", ["group_key", "version"])).toEqual([
    { group_key: 'o\'hara "&" sons', version: 2 },
  ])
})

test("a merged person goes, its snapshots stay", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    persons: [personOf(1), personOf(2)],
    snapshots: [snapshotOf(11), snapshotOf(11), snapshotOf(12)],
    merged: [{ project_id: 1, uuid: uuidOf(1) }],
  })
  await append(engine, 2, { snapshots: [snapshotOf(12), snapshotOf(13)] })
  expect(await readTable(engine, "persons", ["id"])).toEqual([{ id: 2 }])
  const snapshots = await readTable(engine, "person_snapshots", ["snapshot_id"])
  expect(snapshots.map(({ snapshot_id }) => snapshot_id)).toEqual([11, 12, 13])
})

test("a query stops when its time is up or its caller has gone", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = Array.from({ length: 3_000 }, (_, index) => eventOf(index))
  await append(engine, 1, { events })
  await expect(engine.rows(SLOW_QUERY, { timeoutMs: 50 })).rejects.toThrow(/longer than the 50 ms/)
  const aborter = new AbortController()
  const running = engine.rows(SLOW_QUERY, { timeoutMs: 2_000, signal: aborter.signal })
  aborter.abort(new Error("gone"))
  await expect(running).rejects.toThrow("gone")
  expect((await readProperties(engine)).size).toBe(3_000)
})

test("a stream hands on pages, and may be left early", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = Array.from({ length: 5_000 }, (_, index) => eventOf(index))
  await append(engine, 1, { events })
  let count = 0
  for await (const page of engine.stream(ALL_EVENTS, LIMITS)) count += page.length
  expect(count).toBe(5_000)
  for await (const page of engine.stream(ALL_EVENTS, LIMITS)) {
    expect(page.length).toBeGreaterThan(0)
    break
  }
  await append(engine, 2, { events: [eventOf(6_000)] })
  expect((await readProperties(engine)).size).toBe(5_001)
})
