import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { inferCapabilities, inferFromCode, pluginMethods, scheduledTasks } from "./capabilities.ts"

const exportsOf = (code: string) => {
  const inferred = inferFromCode(code)
  if ("problem" in inferred) throw new Error(JSON.stringify(inferred.problem))
  return inferred
}
const methodsOf = (code: string) => exportsOf(code).capabilities.methods

describe("a method is found when it is exported", () => {
  const forms: Record<string, string> = {
    "as a function": "export function onEvent() {}",
    "as an async function": "export async function onEvent() {}",
    "as a constant": "export const onEvent = async () => {}",
    "as a variable of something computed": "export const onEvent = debounce(send)",
    "by a list": "function onEvent() {}\nexport { onEvent }",
    "under another name": "const send = () => {}\nexport { send as onEvent }",
    "under a quoted name": "const send = () => {}\nexport { send as 'onEvent' }",
    "from another module": "export { send as onEvent } from './send'",
    "out of an import": "import { onEvent } from './send'\nexport { onEvent }",
    "out of an object": "export const { onEvent, other } = make()",
    "in a default object": "export default { onEvent() {} }",
    "in a default object with a name":
      "const plugin = { onEvent: () => {} }\nexport default plugin",
    "in module.exports": "module.exports = { onEvent }\nfunction onEvent() {}",
    "in module.exports with a name": "const p = { 'onEvent': send }\nmodule.exports = p",
    "in module.exports by spreading": "const p = { onEvent() {} }\nmodule.exports = { a: 1, ...p }",
    "on module.exports": "module.exports.onEvent = async (event) => {}",
    "on exports": "exports.onEvent = function () {}",
    "on exports by a quoted name": "exports['onEvent'] = function () {}",
    "in both at once": "exports = module.exports = { onEvent() {} }",
    "in a sequence": "exports.a = 1, exports.onEvent = () => {}",
    "by a compiler": "exports.onEvent = exports.a = void 0\nexports.onEvent = onEvent",
    "by a compiler with a default":
      "exports.default = { onEvent }\nmodule.exports = exports.default",
    "by defineProperty": "Object.defineProperty(exports, 'onEvent', { get: () => onEvent })",
    "by assign": "Object.assign(module.exports, { onEvent() {} })",
    "by a bundler": "module.exports = toCommonJs(all)\n0 && (module.exports = { onEvent })",
    "by a getter": "_export(exports, { onEvent: function () { return onEvent } })",
  }
  test.each(Object.entries(forms))("%s", (_, code) => {
    expect(methodsOf(code)).toEqual(["onEvent"])
  })
})

describe("a method is not found when it is", () => {
  const forms: Record<string, string> = {
    "not exported": "function onEvent() {}",
    "no function": "export const onEvent = 5",
    "no function under a name": "const a = {}\nexport { a as onEvent }",
    "no function in CommonJS": "exports.onEvent = void 0",
    undefined: "module.exports = { onEvent: undefined }",
    "a computed name": "module.exports = { [onEvent]: () => {} }",
    "a property of something else": "other.onEvent = () => {}",
    replaced: "exports.onEvent = () => {}\nmodule.exports = {}",
    "in a comment or text": "// export function onEvent() {}\n'exports.onEvent = 1'",
    "a type": "export class onEvent {}",
  }
  test.each(Object.entries(forms))("%s", (_, code) => {
    expect(methodsOf(code)).toEqual([])
  })
})

test("all methods and tasks are told apart", () => {
  const names = [...pluginMethods, ...scheduledTasks, "helper"]
  const { capabilities } = exportsOf(names.map((name) => `export function ${name}() {}`).join("\n"))
  expect(capabilities).toEqual({
    methods: [...pluginMethods],
    jobs: [],
    scheduled_tasks: [...scheduledTasks],
  })
})

describe("jobs, public jobs and metrics", () => {
  test("are read from literals, and what is computed is left out", () => {
    const inferred = exportsOf(`
      const more = { "Clear all": () => {} }
      export const jobs = { send: async () => {}, ...more, [computed]: 1, again() {} }
      const unit = "sum"
      export const metrics = { "\\0": 1, nul: "\\0", half: "\\ud800", sent: unit, lost: \`max\`, [x]: "min", rate: 1 / 2, on: !0, low: -1 }
      export const publicJobs = { send: { payload: { days: { type: "number", default: [1, null] } } } }
    `)
    expect(inferred.capabilities.jobs).toEqual(["send", "Clear all", "again"])
    expect(inferred.metrics).toEqual({ sent: "sum", lost: "max", on: true, low: -1 })
    expect(inferred.public_jobs).toEqual({
      send: { payload: { days: { type: "number", default: [1, null] } } },
    })
  })

  test("are read from compiled sources too", () => {
    const code = `
      _export(exports, { jobs: function () { return jobs } })
      Object.defineProperty(exports, "metrics", { get: function () { return metrics } })
      const jobs = { a() {} }, metrics = { b: "sum" }
    `
    expect(exportsOf(code)).toMatchObject({ capabilities: { jobs: ["a"] }, metrics: { b: "sum" } })
  })

  test("are empty when they are no objects", () => {
    const inferred = exportsOf("export const jobs = make(), metrics = [1], publicJobs = null")
    expect(inferred).toMatchObject({ capabilities: { jobs: [] }, metrics: {}, public_jobs: {} })
  })
})

describe("the files of a plugin", () => {
  const infer = (files: Record<string, string>, main?: string) =>
    inferCapabilities(new Map(Object.entries(files)), main)

  test("are read at the index, in TypeScript too", async () => {
    const inferred = await infer({
      "index.ts": "export const onEvent: Plugin['onEvent'] = (e) => {}",
    })
    expect(inferred).toMatchObject({ file: "index.ts", capabilities: { methods: ["onEvent"] } })
    const assigned = await infer({ "index.ts": "const p: P = { onEvent() {} }\nexport = p" })
    expect(assigned).toMatchObject({ capabilities: { methods: ["onEvent"] } })
  })

  test("are read where plugin.json says, or at the index when that is not there", async () => {
    const files = { "index.js": "exports.onEvent = a", "dist/main.js": "exports.processEvent = a" }
    expect(await infer(files, "./dist/main.js")).toMatchObject({ file: "dist/main.js" })
    expect(await infer(files, "dist/main")).toMatchObject({ file: "dist/main.js" })
    expect(await infer(files, "gone.js")).toMatchObject({ file: "index.js" })
  })

  test("without a source say so", async () => {
    expect(await infer({ "plugin.json": "{}", "site.ts": "" })).toEqual({ status: "absent" })
  })

  test("with a syntax error say where", async () => {
    const script = await infer({ "index.js": "let a = 1\nlet b c" })
    expect(script).toEqual({
      status: "error",
      file: "index.js",
      error: "index.js:2:7: Unexpected token",
    })
    const typed = await infer({ "index.ts": "let a: string\nlet b c" })
    expect(typed).toMatchObject({ error: 'index.ts:2:7: Expected ";" but found "c"' })
  })

  test("may be too large", async () => {
    const inferred = await infer({ "index.js": " ".repeat(600_000) })
    expect(inferred).toMatchObject({ status: "error", error: expect.stringContaining("too large") })
  })
})

describe("a hostile source", () => {
  const count = 100_000
  const sources: Record<string, string> = {
    operators: "!".repeat(count),
    brackets: "[".repeat(count),
    arrows: "a=>".repeat(count),
    "a deep object": `export const metrics = ${"{a:".repeat(2_000)}1${"}".repeat(2_000)}`,
    "many names": `let ${Array.from({ length: 50_000 }, (_, i) => `a${i}`).join(",")}`,
    "many expressions": `/${"(?<a>x)|".repeat(count / 4)}/`,
    "a long chain": `${"exports.a=".repeat(2_000)}1`,
    "names in a circle": "const a = b, b = a\nexport { a as onEvent, b as jobs }",
    "objects in a circle": "const a = { ...b }, b = { ...a }\nmodule.exports = a",
    "objects in objects": `${Array.from({ length: 20 }, (_, i) => {
      return `const o${i} = { k${i}: 1, ${`...o${i + 1}, `.repeat(50)} }`
    }).join("\n")}\nmodule.exports = o0`,
  }
  test.each(Object.entries(sources))("of %s ends in an answer, and soon", (_, code) => {
    const start = performance.now()
    expect(inferFromCode(code)).toBeTypeOf("object")
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

test("any text that looks like a script is read or refused, and never thrown at us", () => {
  const word = fc.constantFrom(
    ...[
      "export ",
      "default ",
      "const ",
      "function ",
      "async ",
      "module.exports",
      "exports",
      ".",
      "=",
    ],
    ...[
      "onEvent",
      "jobs",
      "metrics",
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      ",",
      ";",
      ":",
      "...",
      "=>",
      "\n",
    ],
    ...[
      "'a'",
      "`${",
      "`",
      "1",
      "void 0",
      " as ",
      "from ",
      "import ",
      "class ",
      "/a/",
      "#",
      "&&",
      "get ",
    ],
  )
  const code = fc.oneof(
    fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
    fc.string(),
  )
  fc.assert(
    fc.property(code, (text) => {
      const inferred = inferFromCode(text)
      if ("problem" in inferred) expect(inferred.problem.line).toBeGreaterThan(0)
      else
        expect(Object.keys(inferred.capabilities)).toEqual(["methods", "jobs", "scheduled_tasks"])
    }),
    { numRuns: 2_000 },
  )
})
