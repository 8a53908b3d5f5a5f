import { expect, test } from "vitest"
import { GroupUpdates } from "./group-updates.ts"

test("an update goes into the object that the batch has, so that thousands on one group cost no copies", () => {
  const updates = new GroupUpdates()
  const add = (properties: { readonly [key: string]: number }) =>
    updates.add({
      ...{ project_id: 1, group_type_index: 0, group_key: "acme", properties },
      created_at: "2026-01-02 03:04:05.000000",
    })
  const first = { first: 1 }
  add(first)
  const held = updates.list()[0]?.properties
  for (let index = 0; index < 2_000; index++) add({ [`key ${index}`]: index })
  expect(updates.list()[0]?.properties).toBe(held)
  expect(Object.keys(held ?? {})).toHaveLength(2_001)
  expect(first).toEqual({ first: 1 })
})
