import { describe, expect, test } from "vitest"
import { parseExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import { displayNameOf, sortDistinctIds } from "./display-name.ts"

const DRAWN = "0190f2a1-0000-7000-8000-0123456789ab"
const DRAWN_BY_SCRIPT = "17f1-2b3c-4d5e-6f70-8a9b"

function nameOf(properties: JsonObject, more: { ids?: string[]; keys?: string[] | null } = {}) {
  const { ids = ["ana"], keys = null } = more
  return displayNameOf({ id: 7, properties, distinct_ids: ids }, keys)
}

describe("the name of a person", () => {
  test.each<[string, JsonObject, string]>([
    ["the e-mail address before all", { name: "Ana", email: "a@x.io" }, "a@x.io"],
    ["the e-mail address in another spelling", { name: "Ana", Email: "A@x.io" }, "A@x.io"],
    ["the name when there is no address", { username: "an", name: "Ana" }, "Ana"],
    ["not a blank property", { email: "  ", name: "Ana" }, "Ana"],
    ["not an object", { email: { at: 1 }, name: null, UserName: "ana9" }, "ana9"],
    ["a number, as it is written", { email: 42 }, "42"],
    ["else a distinct id", { colour: "red" }, "ana"],
  ])("is %s", (_rule, properties, name) => expect(nameOf(properties)).toBe(name))

  test("is the first property that the project has chosen", () => {
    const properties = { email: "a@x.io", nick: "Nan", full: "Ana B" }
    expect(nameOf(properties, { keys: ["full", "nick"] })).toBe("Ana B")
    expect(nameOf(properties, { keys: ["missing"] })).toBe("ana")
    expect(nameOf(properties, { keys: [] })).toBe("a@x.io")
  })

  test("is never something that every object has", () => {
    expect(nameOf({}, { keys: ["constructor", "__proto__"] })).toBe("ana")
  })

  test("keeps every digit of a number", () => {
    const properties = parseExact('{"email": 12345678901234567890}') as JsonObject
    expect(nameOf(properties)).toBe("12345678901234567890")
  })

  test("is an id that somebody chose, if there is one", () => {
    expect(nameOf({}, { ids: [DRAWN, "ana"] })).toBe("ana")
    expect(nameOf({}, { ids: [DRAWN] })).toBe(DRAWN)
  })

  test("is the number of the person when there is nothing else", () => {
    expect(nameOf({}, { ids: [] })).toBe("7")
  })
})

describe("distinct ids", () => {
  test("that were drawn come last, in order of arrival otherwise", () => {
    expect(sortDistinctIds([DRAWN, "b", DRAWN_BY_SCRIPT, "a", "x-y"])).toEqual([
      ...["b", "a", "x-y"],
      ...[DRAWN, DRAWN_BY_SCRIPT],
    ])
  })
})
