import fc from "fast-check"
import { expect, test } from "vitest"
import { openEngine, openFolder } from "../../test/support/columnar-engine.ts"
import {
  append,
  eventOf,
  personOf,
  readOwners,
  readTable,
  snapshotOf,
  uuidOf,
} from "./duckdb/testing.ts"
import { withOverrides } from "./override-chains.ts"

const ana = uuidOf(901)
const bo = uuidOf(902)
const cy = uuidOf(903)
const override = (from: string, to: string) => ({
  project_id: 1,
  old_person_id: from,
  person_id: to,
})

test("events of a merged person are the other's, through chains, before and after squashing", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = [
    eventOf(1, { person_id: ana }),
    eventOf(2, { person_id: bo }),
    eventOf(3, { person_id: cy }),
  ]
  await append(engine, 1, { events, overrides: [override(ana, bo)] })
  await append(engine, 2, { overrides: [override(bo, cy)] })
  const merged = { [uuidOf(1)]: cy, [uuidOf(2)]: cy, [uuidOf(3)]: cy }
  expect(await readOwners(engine)).toEqual(merged)
  expect(await engine.squashOverrides()).toBe(2)
  expect(await readOwners(engine)).toEqual(merged)
  expect(await readTable(engine, "overrides", ["person_id"])).toEqual([])
  expect(await engine.squashOverrides()).toBe(0)
})

/** What overrides mean, as plainly as possible: each change renames an owner. */
function renamed(owners: ReadonlyMap<string, string>, from: string, to: string) {
  return new Map(
    [...owners].map(([key, owner]) => [key, owner === from || key === from ? to : owner]),
  )
}

test("overrides without chains say the same as renaming owners one change after another", () => {
  const name = fc.constantFrom("a", "b", "c", "d", "e")
  const change = fc.record({ from: name, to: name })
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 8 }),
      fc.array(change, { maxLength: 8 }),
      (one, two) => {
        const names = ["a", "b", "c", "d", "e"]
        let owners = new Map(names.map((key) => [key, key]))
        // A merge into a person that was merged away is one into whoever has it now.
        for (const { from, to } of [...one, ...two]) {
          const owner = owners.get(to) ?? to
          owners =
            owner === from && to !== from ? renamed(owners, from, to) : renamed(owners, from, owner)
        }
        const map = withOverrides(withOverrides(new Map(), one), two)
        expect(names.map((key) => map.get(key) ?? key)).toEqual(names.map((key) => owners.get(key)))
      },
    ),
  )
})

test("a removed person's events keep its uuid, and its snapshots go, merged ones included", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    events: [
      eventOf(1, { person_id: ana }),
      eventOf(2, { person_id: bo }),
      eventOf(3, { person_id: cy }),
    ],
    persons: [personOf(902), personOf(903)],
    snapshots: [snapshotOf(1), snapshotOf(2, { person_id: bo }), snapshotOf(3, { person_id: cy })],
    overrides: [override(ana, bo), override(uuidOf(904), cy)],
  })
  const change = { removed_persons: [{ project_id: 1, uuid: bo }] }
  for (let time = 0; time < 2; time++) {
    await engine.apply(change)
    expect(await readOwners(engine)).toEqual({ [uuidOf(1)]: bo, [uuidOf(2)]: bo, [uuidOf(3)]: cy })
    expect(await readTable(engine, "persons", ["id"])).toEqual([{ id: 903 }])
    expect(await readTable(engine, "person_snapshots", ["snapshot_id"])).toEqual([
      { snapshot_id: 3 },
    ])
    expect(await readTable(engine, "overrides", ["person_id"])).toEqual([{ person_id: cy }])
  }
})

test("a squash keeps telling whose the snapshots of merged persons are", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { snapshots: [snapshotOf(1)], overrides: [override(ana, bo)] })
  await engine.squashOverrides()
  await engine.apply({ removed_persons: [{ project_id: 1, uuid: bo }] })
  expect(await readTable(engine, "person_snapshots", ["snapshot_id"])).toEqual([])
})

test("a split moves the events of a distinct id, those of merged persons included, and no others", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    events: [
      eventOf(1, { person_id: ana, distinct_id: "it's \ud83e\udd94" }),
      eventOf(2, { person_id: bo, distinct_id: "it's \ud83e\udd94" }),
      eventOf(3, { person_id: ana, distinct_id: "stays" }),
      eventOf(4, { person_id: cy, distinct_id: "it's \ud83e\udd94" }),
    ],
    overrides: [override(ana, bo)],
  })
  // The new owner is the one that was merged before: its other events stay with the merged person.
  const moved = [{ project_id: 1, distinct_id: "it's \ud83e\udd94", from: bo, to: ana }]
  for (let time = 0; time < 2; time++) {
    await engine.apply({ moved, persons: [personOf(901)] })
    expect(await readOwners(engine)).toEqual({
      [uuidOf(1)]: ana,
      [uuidOf(2)]: ana,
      [uuidOf(3)]: bo,
      [uuidOf(4)]: cy,
    })
  }
})

test("a change carries events and persons too, once", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const change = {
    events: [eventOf(1)],
    persons: [personOf(901, { version: 2 })],
    snapshots: [snapshotOf(1)],
  }
  await engine.apply(change)
  await engine.apply(change)
  await engine.apply({ persons: [personOf(901)] })
  expect(Object.keys(await readOwners(engine))).toEqual([uuidOf(1)])
  expect(await readTable(engine, "persons", ["version"])).toEqual([{ version: 2 }])
  expect(await readTable(engine, "person_snapshots", ["snapshot_id"])).toHaveLength(1)
})

test("a change with an id is applied once, however late it comes again", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, { events: [eventOf(1, { person_id: bo })], persons: [personOf(902)] })
  const moved = [{ project_id: 1, distinct_id: "ana", from: bo, to: ana }]
  const change = { moved, persons: [personOf(901)] }
  await engine.apply(change, { id: 5, settledBefore: 5 })
  expect(await readOwners(engine)).toEqual({ [uuidOf(1)]: ana })
  // Merged back: the moved events are the other's again, and the person is no more.
  const merged = [{ project_id: 1, uuid: ana }]
  await append(engine, 2, { overrides: [override(ana, bo)], merged })
  await engine.compact()
  await engine.apply(change, { id: 5, settledBefore: 5 })
  expect(await readOwners(engine)).toEqual({ [uuidOf(1)]: bo })
  expect(await readTable(engine, "persons", ["id"])).toEqual([{ id: 902 }])
  expect(await engine.findMaxIds()).toMatchObject({ change: 5 })
})

test("the largest numbers in use are found, those that only events name included", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  expect(await engine.findMaxIds()).toEqual({ person: 0, snapshot: 0, change: 0 })
  await append(engine, 1, { persons: [personOf(901)], snapshots: [snapshotOf(5_000)] })
  expect(await engine.findMaxIds()).toEqual({ person: 901, snapshot: 5_000, change: 0 })
  await append(engine, 2, { events: [eventOf(1, { snapshot_id: 2 ** 33 })] })
  expect(await engine.findMaxIds()).toMatchObject({ snapshot: 2 ** 33 })
})

test("events of a person are deleted up to a moment, through overrides", async () => {
  const later = "2026-01-05 00:00:00"
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  await append(engine, 1, {
    events: [
      eventOf(1, { person_id: ana }),
      eventOf(2, { person_id: bo }),
      eventOf(3, { person_id: bo, ...{ timestamp: later, received_at: later } }),
      eventOf(4, { person_id: cy }),
      eventOf(5, { person_id: bo, project_id: 2 }),
      // Dated ahead by a wrong clock.
      eventOf(6, { person_id: bo, timestamp: later }),
    ],
    overrides: [override(ana, bo)],
  })
  const deletion = { project_id: 1, person_id: bo, until: "2026-01-04 00:00:00" }
  expect(await engine.deleteEvents([deletion])).toBe(3)
  expect(Object.keys(await readOwners(engine)).sort()).toEqual([uuidOf(3), uuidOf(4)])
})

test("events of a person that was merged since are deleted, as long as a squash keeps them", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const events = [ana, bo, cy].map((person_id, index) => eventOf(index, { person_id }))
  await append(engine, 1, { events, overrides: [override(ana, cy), override(bo, cy)] })
  const keep = async () => [{ project_id: 1, person_id: ana }]
  expect(await engine.squashOverrides({ keep })).toBe(1)
  expect(await readTable(engine, "overrides", ["old_person_id"])).toEqual([{ old_person_id: ana }])
  const deletion = { project_id: 1, person_id: ana, until: "2026-01-04 00:00:00" }
  expect(await engine.deleteEvents([deletion])).toBe(1)
  expect(Object.keys(await readOwners(engine)).sort()).toEqual([uuidOf(1), uuidOf(2)])
  await engine.squashOverrides({ keep: async () => [{ project_id: 2, person_id: ana }] })
  expect(await readTable(engine, "overrides", ["old_person_id"])).toEqual([])
})

test("a project is deleted with all its copies, and no other is touched", async () => {
  await using place = await openFolder()
  await using engine = await openEngine(place.folder)
  const rows = (project_id: number) => ({
    events: [eventOf(1, { project_id })],
    persons: [personOf(1, { project_id })],
    snapshots: [snapshotOf(1, { project_id })],
    overrides: [{ ...override(ana, bo), project_id }],
  })
  await append(engine, 1, rows(1))
  await append(engine, 2, rows(2))
  expect(await engine.deleteEvents([{ project_id: 2, until: "2026-02-01 00:00:00" }])).toBe(1)
  for (const table of ["persons", "person_snapshots", "overrides"] as const) {
    expect(await readTable(engine, table, ["project_id"])).toEqual([{ project_id: 1 }])
  }
  expect(await engine.deleteEvents([{ project_id: 1, until: "2026-02-01 00:00:00" }])).toBe(1)
  expect(await readTable(engine, "persons", ["id"])).toEqual([])
})
