import { describe, expect, test } from "vitest"
import { PersonCache } from "./cache.ts"

const person = (uuid: string, properties_bytes = 10) => ({
  ...{ id: 1, uuid, version: 1, created_at: "2026-01-02 03:04:05.000000", snapshot_id: 7 },
  ...{ is_identified: false, properties: {}, properties_bytes },
})

function cacheWith(...uuids: readonly string[]): PersonCache {
  const cache = new PersonCache()
  for (const uuid of uuids) {
    cache.keepPerson(1, person(uuid))
    cache.keepId(1, `id of ${uuid}`, uuid)
  }
  return cache
}

describe("what the cache holds", () => {
  const half = 512 * 1024

  test("is bounded in bytes: who was kept longest ago goes first", () => {
    const cache = new PersonCache()
    const uuids = Array.from({ length: 200 }, (_, index) => `person ${index}`)
    for (const uuid of uuids) {
      cache.keepId(1, uuid, uuid)
      cache.keepPerson(1, person(uuid, half))
    }
    const held = uuids.filter((uuid) => cache.find(1, uuid) !== undefined)
    expect(held).toEqual(uuids.slice(-held.length))
    expect(held.length).toBeGreaterThan(100)
    expect(held.length).toBeLessThanOrEqual(128)
  })

  test("weighs a person once, however often it is kept, and not when forgotten", () => {
    const cache = cacheWith("small")
    for (let count = 0; count < 500; count++) cache.keepPerson(1, person("large", half))
    for (let index = 0; index < 200; index++) {
      cache.keepPerson(1, person(`gone ${index}`, half))
      cache.forgetPerson(1, `gone ${index}`)
    }
    expect(cache.find(1, "id of small")).toEqual(person("small"))
  })

  test("has long distinct ids only up to a bound", () => {
    const cache = cacheWith("a")
    const long = "🦔".repeat(200)
    for (let index = 0; index < 50_000; index++) cache.keepId(1, `${index}${long}`, "a")
    expect(cache.find(1, "id of a")).toBeUndefined()
    expect(cache.find(1, `49999${long}`)).toEqual(person("a"))
  })
})

describe("after a batch", () => {
  const { id, version, ...rest } = person("a", 20)
  const after = { ...rest, id, project_id: 1, base_version: version, snapshot: -1, snapshot_id: 8 }
  const batch = {
    persons: [after],
    attached: [{ project_id: 1, distinct_id: "new", uuid: "a" }],
    merged: [{ project_id: 1, from: "b" }],
  }

  test("it holds the states that were committed, and none of those merged away", () => {
    const cache = cacheWith("a", "b", "c")
    cache.settle(batch, cache.changeCount)
    const state = { ...person("a", 20), version: 2, snapshot_id: 8 }
    expect(cache.find(1, "new")).toEqual(state)
    expect(cache.find(1, "id of a")).toEqual(state)
    expect(cache.find(1, "id of b")).toBeUndefined()
    expect(cache.find(1, "id of c")).toEqual(person("c"))
  })

  test("during which something was forgotten, it forgets all that the batch touched", () => {
    const cache = cacheWith("a", "b", "c")
    const { changeCount } = cache
    cache.forgetId(1, "other")
    cache.settle(batch, changeCount)
    for (const id of ["new", "id of a", "id of b"]) expect(cache.find(1, id)).toBeUndefined()
    expect(cache.find(1, "id of c")).toEqual(person("c"))
  })
})
