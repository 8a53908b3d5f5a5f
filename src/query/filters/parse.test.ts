import { describe, expect, test } from "vitest"
import { DomainError } from "../../lib/errors.ts"
import { type PropertyFilter, parsePropertyFilters } from "./parse.ts"

const filter = (key: string, more: Partial<PropertyFilter> = {}): PropertyFilter => ({
  kind: "filter",
  type: "event",
  key,
  operator: "exact",
  values: ["1"],
  ...more,
})

const all = (...members: readonly unknown[]) => ({ kind: "group", type: "AND", members })
const any = (...members: readonly unknown[]) => ({ kind: "group", type: "OR", members })

describe("filters are read from", () => {
  test.each([undefined, null, "", "[]", [], {}])("%j as nothing", (input) => {
    expect(
      parsePropertyFilters(input).members.flatMap((member) =>
        "members" in member ? member.members : [member],
      ),
    ).toEqual([])
  })

  test("a list, as text or as it is", () => {
    const list = [{ key: "a", value: 1 }]
    expect(parsePropertyFilters(list)).toEqual(all(filter("a")))
    expect(parsePropertyFilters(JSON.stringify(list))).toEqual(all(filter("a")))
  })

  test("one filter", () => {
    expect(parsePropertyFilters({ key: "a", value: "1", operator: "is_not" })).toEqual(
      all(filter("a", { operator: "is_not" })),
    )
  })

  test("groups in groups, mixed with filters, in any case", () => {
    const input = {
      type: "or",
      values: [
        { key: "a", value: 1 },
        { type: "And", values: [] },
      ],
    }
    expect(parsePropertyFilters(input)).toEqual(any(filter("a"), all()))
  })

  test("the old form, where only a known operator is cut off a name", () => {
    const input = { $browser__is_not: "IE7", $OS: "Mac", a__b: "1", __is_set: true }
    expect(parsePropertyFilters(input)).toEqual(
      all(
        filter("$browser", { operator: "is_not", values: ["IE7"] }),
        filter("$OS", { values: ["Mac"] }),
        filter("a__b"),
        filter("__is_set", { values: ["true"] }),
      ),
    )
  })
})

describe("the parts of a filter", () => {
  test("values become texts, whatever they are", () => {
    const value = ["x", 2, true, { a: 1 }, null]
    expect(parsePropertyFilters([{ key: "k", value }])).toEqual(
      all(filter("k", { values: ["x", "2", "true", '{"a":1}'] })),
    )
  })

  test("a filter without a key or a value asks for nothing", () => {
    const input = [{ value: "x", type: "person" }, { key: "a" }, { key: "b", value: null }]
    expect(parsePropertyFilters(input)).toEqual(all())
  })

  test("a filter for presence needs no value", () => {
    expect(parsePropertyFilters([{ key: "a", operator: "is_set" }])).toEqual(
      all(filter("a", { operator: "is_set", values: [] })),
    )
  })

  test("keys are kept as they are, even those that objects treat specially", () => {
    expect(parsePropertyFilters('[{"key":"__proto__","value":"1"}]')).toEqual(
      all(filter("__proto__")),
    )
    expect(parsePropertyFilters('{"__proto__":"1"}')).toEqual(all(filter("__proto__")))
  })

  test("a group filter names its type of group", () => {
    expect(
      parsePropertyFilters([{ key: "a", value: 1, type: "group", group_type_index: 4 }]),
    ).toEqual(all(filter("a", { type: "group", group_type_index: 4 })))
  })
})

describe("refused with a reason", () => {
  const deep = Array.from({ length: 30 }).reduce<unknown>(
    (inner) => ({ type: "AND", values: [inner] }),
    { key: "a", value: 1 },
  )
  test.each<readonly [unknown, string]>([
    ["{", "no JSON"],
    ["5", "neither a filter nor a group"],
    [["a"], "neither a filter nor a group"],
    [[[]], "neither a filter nor a group"],
    [{ type: "XOR", values: [] }, '"XOR"'],
    [{ type: "AND", values: 5 }, "no list"],
    [{ type: "AND" }, "no list"],
    [[{ key: "a", value: 1, type: "moon" }], '"moon" is no type'],
    [[{ key: "a", value: 1, operator: "like" }], '"like" is no operator'],
    [[{ key: {}, value: 1 }], "no text"],
    [[{ key: "a", value: 1, type: "group" }], "group_type_index"],
    [[{ key: "a", value: 1, type: "group", group_type_index: 5 }], "group_type_index"],
    [deep, "deeper"],
    [[{ key: "a", operator: "regex", value: "x".repeat(5_001) }], "longer than 5000"],
    [Array.from({ length: 501 }, () => ({ key: "a", value: 1 })), "more than 500"],
    [[{ key: "a", value: Array.from({ length: 10_001 }, () => 1) }], "more than 10000 values"],
  ])("%j", (input, reason) => {
    const parse = () => parsePropertyFilters(input)
    expect(parse).toThrow(reason)
    expect(parse).toThrow(
      expect.objectContaining({ kind: "invalid", code: "invalid_input", attr: "properties" }),
    )
    expect(parse).toThrow(DomainError)
  })
})
