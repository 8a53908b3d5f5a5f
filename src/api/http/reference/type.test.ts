import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../openapi-types.ts"
import { listFields } from "./fields.ts"
import { anchor, printType, type Schemas } from "./type.ts"

const schemas: Schemas = {
  Invite: {
    properties: {
      id: { type: "string" },
      created_by: { anyOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }] },
      access: { type: "array", items: { type: "object", properties: { level: { enum: [1, 8] } } } },
    },
  },
  User: { type: "object", properties: { email: { type: "string" } } },
  Loop: { $ref: "#/components/schemas/Loop" },
}

describe("a type", () => {
  test.each<[JsonSchema, string]>([
    [{}, "any"],
    [{ type: "string" }, "string"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: ["string", "null"], format: "uuid" }, "string (uuid) | null"],
    [{ const: "on" }, "&quot;on&quot;"],
    [{ enum: ["a", 1, null] }, "&quot;a&quot; | 1 | null"],
    [{ anyOf: [{ type: "string" }, { type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: "array" }, "any[]"],
    [{ type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [{ type: "object", additionalProperties: { type: "number" } }, "map of number"],
    [{ type: "object", additionalProperties: {} }, "object"],
    [{ allOf: [{ type: "object" }, { $ref: "#/components/schemas/Gone" }] }, "object &amp; Gone"],
    [
      { type: "array", items: { $ref: "#/components/schemas/User" } },
      '<a href="#schema-User">User</a>[]',
    ],
  ])("of %j reads %s", (schema, text) => {
    expect(printType(schema, schemas).text).toBe(text)
  })

  test("with very many values names the first ones", () => {
    const values = Array.from({ length: 40 }, (_, index) => index)
    expect(printType({ enum: values }, {}).text).toMatch(/15 \| … 24 more$/)
  })

  test("that goes in circles or down without end is still printed", () => {
    let deep: JsonSchema = { type: "string" }
    for (let index = 0; index < 1_000; index += 1) deep = { type: "array", items: deep }
    expect(printType(deep, {}).text).toBe(`any${"[]".repeat(9)}`)
    expect(listFields({ $ref: "#/components/schemas/Loop" }, schemas)).toEqual([])
  })
})

test("fields inside lists and objects carry the way to them", () => {
  const names = listFields({ $ref: "#/components/schemas/Invite" }, schemas).map(({ name }) => name)
  expect(names).toEqual(["id", "created_by", "access", "access[].level"])
})

test("a field of a union is unfolded when one member alone has fields", () => {
  const item = { type: "object", properties: { at: { type: "string" } } }
  const schema = {
    properties: { a: { anyOf: [{ type: "array", items: item }, { type: "null" }] } },
  }
  expect(listFields(schema, {}).map(({ name }) => name)).toEqual(["a", "a[].at"])
})

test("a list at the top shows the fields of its items", () => {
  const item = { type: "object", properties: { at: { type: "string" } } }
  expect(listFields({ type: "array", items: item }, {}).map(({ name }) => name)).toEqual(["[].at"])
})

test("no two names share an anchor", () => {
  const names = ["a b", "a-b", "a.b", "a.20.b", "ä", "a_b", "<", '"']
  expect(new Set(names.map((name) => anchor("x", name))).size).toBe(names.length)
})
