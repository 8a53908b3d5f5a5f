/** Filters on elements, over chains as they are really written. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openRows, PROJECT_ID, type SmallStore, uuidOf } from "../../../test/support/duckdb-rows.ts"
import { elementsChain } from "../../elements/chain.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { column, selectEvents } from "../build.ts"
import { compileFilters } from "./compile.ts"
import { parsePropertyFilters } from "./parse.ts"

async function openChains(chains: readonly (readonly JsonObject[])[]): Promise<SmallStore> {
  const events = chains.map((elements, index) => ({
    uuid: uuidOf(index),
    elements_chain: elementsChain(elements),
  }))
  return openRows({ events })
}

async function listMatches(store: SmallStore, filter: JsonObject): Promise<readonly number[]> {
  const group = parsePropertyFilters([{ ...filter, type: "element" }])
  const where = compileFilters(group, {
    project_id: PROJECT_ID,
    target: "events",
    now: new Date(0),
    timezone: "UTC",
    personsByDistinctId: new Map(),
  })
  const columns = [{ as: "uuid", expr: column("e", "uuid") }]
  const rows = await store.rows(selectEvents(PROJECT_ID, { columns, where }))
  return rows.map(({ uuid }) => Number(String(uuid).slice(-12))).sort((a, b) => a - b)
}

const FIXTURE: readonly (readonly JsonObject[])[] = [
  [
    { tag_name: "a", attr_class: ["small"], href: "/a-url", text: "bla bla" },
    { tag_name: "button", attr_class: ["btn", "btn-primary"], nth_child: 2 },
    { tag_name: "div" },
    { tag_name: "label", attr_id: "nested" },
  ],
  [
    { tag_name: "a", attr_class: ["small"], href: "/a-url", text: 'bla"bla' },
    { tag_name: "button", attr_class: ["btn", "btn-secondary"], "attr__data-kind": "go" },
    { tag_name: "div" },
    { tag_name: "img", attr_id: "nested" },
  ],
  [
    { tag_name: "a", href: "/789" },
    { tag_name: "button", attr_class: ["btn", "btn-tertiary"] },
  ],
]

type Case = readonly [key: string, operator: string, value: JsonValue, matches: readonly number[]]

describe("the fixture of three clicks", () => {
  let store: SmallStore
  beforeAll(async () => {
    store = await openChains(FIXTURE)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  test.each<Case>([
    ["selector", "exact", ".btn", [0, 1, 2]],
    ["selector", "exact", ".btn-primary", [0]],
    ["selector", "exact", [".btn-primary", ".btn-secondary"], [0, 1]],
    ["selector", "is_not", ".btn-primary", [1, 2]],
    ["selector", "exact", ".btn-prim", []],
    ["selector", "exact", "button.btn-primary.btn", [0]],
    ["selector", "exact", "div.btn", []],
    ["selector", "exact", "#nested", [0, 1]],
    ["selector", "exact", "label#nested", [0]],
    ["selector", "exact", "div > button", [0, 1]],
    ["selector", "exact", "label > button", []],
    ["selector", "exact", "label button .small", [0]],
    ["selector", "exact", "button .btn", []],
    ["selector", "exact", '[id="nested"] > div', [0, 1]],
    ["selector", "exact", 'a[href="/789"]', [2]],
    ["selector", "exact", "[data-kind=go]", [1]],
    ["selector", "exact", "button[data-kind].btn", [1]],
    ["selector", "exact", "button:nth-child(2)", [0]],
    ["selector", "exact", "*", [0, 1, 2]],
    ["tag_name", "exact", "div", [0, 1]],
    ["tag_name", "exact", "img", [1]],
    ["tag_name", "exact", ["img", "label"], [0, 1]],
    ["tag_name", "is_not", "div", [2]],
    ["tag_name", "exact", "di", []],
    ["href", "exact", "/a-url", [0, 1]],
    ["href", "exact", ["/a-url", "/789"], [0, 1, 2]],
    ["href", "is_not", "/a-url", [2]],
    ["href", "icontains", "UrL", [0, 1]],
    ["href", "not_icontains", "UrL", [2]],
    ["href", "regex", "/a-.+", [0, 1]],
    ["href", "regex", "^/a", [0, 1]],
    ["href", "regex", "/\\p{L}", [0, 1]],
    ["href", "regex", "?*", []],
    ["href", "not_regex", "/\\d+", [0, 1]],
    ["href", "not_regex", "?*", []],
    ["text", "is_set", null, [0, 1]],
    ["text", "is_not_set", null, [2]],
    ["text", "exact", 'bla"bla', [1]],
    ["text", "icontains", 'A"B', [1]],
    ["text", "regex", '^bla"bla$', [1]],
    ["text", "exact", [], []],
    ["text", "is_not", [], [0, 1, 2]],
  ])("%s %s %j matches %j", async (key, operator, value, matches) => {
    expect(await listMatches(store, { key, operator, value })).toEqual(matches)
  })
})

describe("values that look like elements", () => {
  const text = 'a;img.btn:href="/forged"'

  test.each<Case>([
    ["tag_name", "exact", "img", []],
    ["selector", "exact", ".btn", []],
    ["selector", "exact", "img", []],
    ["href", "exact", "/forged", []],
    ["href", "is_set", null, []],
    ["text", "exact", text, [0]],
    ["text", "exact", "back\\", [1]],
    ["text", "icontains", "K", [1]],
  ])("%s %s %j matches %j", async (key, operator, value, matches) => {
    await using store = await openChains([
      [{ tag_name: "p", text }],
      [{ tag_name: "p", text: "back\\" }],
    ])
    expect(await listMatches(store, { key, operator, value })).toEqual(matches)
  })

  test("classes may hold dots and colons", async () => {
    await using store = await openChains([[{ tag_name: "p", attr_class: ["md:flex", "w-1.5"] }]])
    expect(await listMatches(store, { key: "selector", value: ".w-1\\.5.md\\:flex" })).toEqual([0])
  })
})
