/** JSON texts, such as properties. Paths are keys and places, from 1; negative places count from the end. */
import { boolean, call, eq, isNotNull, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts } from "./function.ts"
import { argOf, choose, lambda, letBe, parameter, tupleOf } from "./lowering.ts"

const PATH = "(text, text|integer...)"

/** The JSON text at the path. */
function at({ args, types }: CallParts): Expr {
  return args.length === 1
    ? argOf({ args, types, params: [], distinct: false }, 0)
    : { kind: "call", name: "jsonAt", args, types }
}

const JSON_TYPE: Type = { kind: "text", isNullable: true }

const read = (
  result: string,
  meaning: string,
  more: Pick<Definition, "example"> & { lower: (json: Expr) => Expr },
): Definition => ({
  signature: `${PATH} -> ${result}`,
  meaning,
  ...more,
  lower: (parts) => more.lower(at(parts)),
})

const toNumber = (json: Expr): Expr => call("parseNumber", json)
const toWhole = (json: Expr): Expr =>
  letBe(call("parseNumber", json), "number", (value) =>
    choose(eq(value, call("floor", value)), call("toInteger", value)),
  )

const extractInt = read("integer?", "The whole number at the path; null for what is none.", {
  example: ["JSONExtractInt('{\"a\": [7, 8]}', 'a', 2)", 8],
  lower: toWhole,
})

const toBoolean = (json: Expr): Expr =>
  letBe(json, "json", (value) => ({
    kind: "case",
    branches: [
      { when: eq(value, text("true")), result: boolean(true) },
      { when: eq(value, text("false")), result: boolean(false) },
    ],
    otherwise: { kind: "value", value: { type: "null" } },
  }))

/** Pairs of keys and what a function makes of their values. */
const pairs = (json: Expr, make: (value: Expr) => Expr): Expr =>
  letBe(json, "json", (known) => {
    const key = parameter("·key")
    const value = make({
      kind: "call",
      name: "jsonAt",
      args: [known, key],
      types: [JSON_TYPE, JSON_TYPE],
    })
    return call("arrayMap", lambda(["·key"], tupleOf(key, value)), call("jsonKeys", known))
  })

const asText = (json: Expr): Expr =>
  letBe(json, "value", (value) => call("coalesce", call("jsonString", value), value))

export const JSON_FUNCTIONS = defineGroup(
  { group: "JSON", kind: "scalar" },
  {
    isValidJSON: {
      signature: "(text) -> boolean",
      meaning: "Whether the text is JSON.",
      example: ["isValidJSON('[1]')", 1],
      lower: (parts) => call("isJson", argOf(parts, 0)),
    },
    JSONHas: read("boolean!", "Whether there is a value at the path, null included.", {
      example: ["JSONHas('{\"a\": {\"b\": 1}}', 'a', 'b')", 1],
      lower: isNotNull,
    }),
    JSONLength: read("integer?", "How many items or keys the value has; null for what has none.", {
      example: ["JSONLength('{\"a\": [1, 2]}', 'a')", 2],
      lower: (json) => call("jsonLength", json),
    }),
    JSONArrayLength: {
      signature: "(text) -> integer?",
      meaning: "How many items the array has; null for what is no array.",
      example: ["JSONArrayLength('[1, 2]')", 2],
      lower: (parts) =>
        letBe(argOf(parts, 0), "json", (json) =>
          choose(eq(call("jsonType", json), text("array")), call("jsonLength", json)),
        ),
    },
    JSONType: read("text?", "object, array, string, number, boolean or null.", {
      example: ["JSONType('{\"a\": \"x\"}', 'a')", "string"],
      lower: (json) => call("jsonType", json),
    }),
    JSONExtractString: read("text?", "The string at the path; null for what is none.", {
      example: ["JSONExtractString('{\"a\": \"x\"}', 'a')", "x"],
      lower: (json) => call("jsonString", json),
    }),
    JSONExtractInt: extractInt,
    JSONExtractUInt: extractInt,
    JSONExtractFloat: read("float?", "The number at the path; null for what is none.", {
      example: ["JSONExtractFloat('{\"a\": 1.5}', 'a')", 1.5],
      lower: toNumber,
    }),
    JSONExtractBool: read("boolean?", "The boolean at the path; null for what is none.", {
      example: ["JSONExtractBool('{\"a\": true}', 'a')", 1],
      lower: toBoolean,
    }),
    JSONExtractRaw: read("text?", "The JSON text at the path; null if there is none.", {
      example: ["JSONExtractRaw('{\"a\": [1, 2]}', 'a')", "[1,2]"],
      lower: (json) => json,
    }),
    JSONExtractArrayRaw: read(
      "array(text)",
      "The JSON texts of the items of the array at the path.",
      {
        example: ["JSONExtractArrayRaw('{\"a\": [1, \"x\"]}', 'a')", ["1", '"x"']],
        lower: (json) => call("jsonItems", json),
      },
    ),
    JSONExtractKeys: read("array(text)", "The keys of the object at the path.", {
      example: ['JSONExtractKeys(\'{"a": 1, "b": 2}\')', ["a", "b"]],
      lower: (json) => call("jsonKeys", json),
    }),
    JSONExtractKeysAndValues: read(
      "array(tuple(text, text))",
      "Keys and values, strings as they are and others as JSON text, of the object at the path.",
      {
        example: [
          'JSONExtractKeysAndValues(\'{"a": 1, "b": "x"}\')',
          [
            ["a", "1"],
            ["b", "x"],
          ],
        ],
        lower: (json) => pairs(json, asText),
      },
    ),
    JSONExtractKeysAndValuesRaw: read(
      "array(tuple(text, text))",
      "Keys and JSON texts of the object at the path.",
      {
        example: [
          'JSONExtractKeysAndValuesRaw(\'{"a": 1, "b": "x"}\')',
          [
            ["a", "1"],
            ["b", '"x"'],
          ],
        ],
        lower: (json) => pairs(json, (value) => value),
      },
    ),
  },
)
