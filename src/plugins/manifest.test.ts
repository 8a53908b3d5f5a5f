import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DomainError } from "../lib/errors.ts"
import { getManifest, PLUGIN_INTERFACE_VERSION, parseManifest } from "./manifest.ts"

const parse = (value: unknown) => parseManifest(JSON.stringify(value))

describe("plugin.json", () => {
  test("gives name, texts, config, jobs and metrics, and tolerates other keys", () => {
    const config = [
      { markdown: "Hello" },
      { key: "url", name: "Where to", type: "string", required: true, secret: true, extra: 1 },
    ]
    const manifest = parse({
      name: " Webhook ",
      url: "https://example.com/webhook",
      description: "Sends events",
      icon: "data:,",
      main: "dist/index.js",
      config,
      publicJobs: { "Send again": { payload: { day: { type: "date" } } } },
      metrics: { sent: "sum" },
      keywords: ["anything"],
    })
    expect(manifest).toEqual({
      name: "Webhook",
      url: "https://example.com/webhook",
      description: "Sends events",
      icon: "data:,",
      main: "dist/index.js",
      lib: undefined,
      stateless: false,
      config,
      public_jobs: { "Send again": { payload: { day: { type: "date" } } } },
      metrics: { sent: "sum" },
    })
  })

  test("may say nothing at all", () => {
    const manifest = parse({ description: null })
    expect(manifest).toMatchObject({ name: undefined, config: [], public_jobs: {}, metrics: {} })
  })

  test("may give its config as an object of key to field", () => {
    const config = { url: { name: "Where to", type: "string" } }
    expect(parse({ config }).config).toEqual(config)
  })

  const wrong: [problem: string, manifest: unknown][] = [
    ["name", { name: 5 }],
    ["name", { name: "x".repeat(201) }],
    ["expected object", []],
    ["config.0.key", { config: [{ key: 5 }] }],
    ["config.0: a field needs a key", { config: [{ name: "x" }] }],
    ['config.1: a second field "a"', { config: [{ key: "a" }, { key: "a" }] }],
    ["config.a.required", { config: { a: { required: "yes" } } }],
    [
      "plugin.json: config: expected a list of fields, or an object of key to field",
      { config: "text" },
    ],
    ["config: too many fields", { config: { ...Array.from({ length: 201 }, () => ({})) } }],
    ["publicJobs: expected object", { publicJobs: [] }],
    ["stateless plugin has no config", { stateless: true, config: [{ key: "a" }] }],
    ["is no version range", { posthogVersion: "soon" }],
    ["this platform offers", { posthogVersion: ">= 99.0.0" }],
  ]
  test.each(wrong)("is refused with %j for %j", (problem, manifest) => {
    expect(() => parse(manifest)).toThrow(DomainError)
    expect(() => parse(manifest)).toThrow(problem)
  })

  test("is refused when it is not JSON or not there", () => {
    expect(() => parseManifest("{name:}")).toThrow("plugin.json is not JSON")
    expect(() => getManifest(new Map([["index.js", ""]]))).toThrow("has no plugin.json")
    const deep = `{"config":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
    expect(() => parseManifest(deep)).toThrow("nested deeper")
    expect(() => parseManifest('{"name":"\\u0000"}')).toThrow("NUL")
    expect(() => parseManifest('{"config":{"\\ud800":{}}}')).toThrow("half a character")
  })

  test("may name a main file, which must be there, with its end or without", () => {
    const files = (main: string) =>
      new Map([
        ["plugin.json", JSON.stringify({ main })],
        ["index.ts", ""],
        ["src/main.js", ""],
        ["lib/index.js", ""],
      ])
    for (const main of ["index.ts", "./index.ts", "src/main.js", "src/main", "lib", "./lib/", ""]) {
      expect(getManifest(files(main)).main).toBe(main)
    }
    for (const main of ["src", "main.js", "../index.ts", "dist/index.js"]) {
      expect(() => getManifest(files(main))).toThrow(`plugin.json: main names "${main}", which`)
    }
  })

  test("may ask for the version that is offered, or be stateless without config", () => {
    expect(() => parse({ posthogVersion: `>= ${PLUGIN_INTERFACE_VERSION}` })).not.toThrow()
    expect(parse({ stateless: true, config: [] }).stateless).toBe(true)
  })

  test("never fails in another way, whatever it holds", () => {
    const keys = fc.constantFrom("name", "config", "publicJobs", "metrics", "stateless", "main")
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (value) => {
        try {
          parse(value)
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError)
        }
      }),
    )
  })
})
