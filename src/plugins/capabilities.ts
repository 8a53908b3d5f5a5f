/** What a plugin can do, read from what its source exports. The source is parsed and never run. */
import type { Program } from "acorn"
import { isJsonObject, type JsonObject } from "../lib/json.ts"
import { MAX_FILE_BYTES, type PluginFiles } from "./files.ts"
import { findMainFile } from "./main-file.ts"
import { type ModuleFacts, readExports } from "./module-exports.ts"
import { parseSource, type SourceProblem } from "./parse-source.ts"
import { mayBeFunction } from "./static-value.ts"
import { type Compile, needsTranspile, transpile } from "./transpile.ts"

export interface Capabilities {
  readonly methods: readonly string[]
  readonly jobs: readonly string[]
  readonly scheduled_tasks: readonly string[]
}

export interface InferredPlugin {
  readonly capabilities: Capabilities
  readonly public_jobs: JsonObject
  readonly metrics: JsonObject
}

/** `absent`: there is no source that could run on the server; `file` is where the source was found. */
export type Inference =
  | ({ readonly status: "inferred"; readonly file: string } & InferredPlugin)
  | { readonly status: "absent" }
  | { readonly status: "error"; readonly file: string; readonly error: string }

export const pluginMethods = [
  "setupPlugin",
  "teardownPlugin",
  "getSettings",
  "processEvent",
  "onEvent",
  "onSnapshot",
  "composeWebhook",
  "exportEvents",
] as const

export const scheduledTasks = ["runEveryMinute", "runEveryHour", "runEveryDay"] as const

/** Parsing blocks the loop for about 0.3 s per megabyte at worst. */
const MAX_PARSED_BYTES = MAX_FILE_BYTES / 2
const MAX_JOBS = 100
const MAX_JOB_NAME_CHARS = 200

/** `main` is what plugin.json names. */
export async function inferCapabilities(
  files: PluginFiles,
  main?: string,
  compile: Compile = transpile,
): Promise<Inference> {
  const file = findMainFile(files, main)
  const text = file === undefined ? undefined : files.get(file)
  if (file === undefined || text === undefined) return { status: "absent" }
  const source = await javaScriptOf(file, text, compile)
  if ("error" in source) return { status: "error", file, error: source.error }
  const inferred = inferFromCode(source.code)
  if (!("problem" in inferred)) return { status: "inferred", file, ...inferred }
  const { line, column, message } = inferred.problem
  return { status: "error", file, error: `${file}:${line}:${column}: ${message}` }
}

/** The pure core of `inferCapabilities`, on JavaScript. */
export function inferFromCode(code: string): InferredPlugin | { readonly problem: SourceProblem } {
  const { program, problem } = parseSource(code)
  return problem ? { problem } : describeModule(program)
}

function describeModule(program: Program): InferredPlugin {
  const facts = readExports(program)
  const isExported = (name: string) => isFunctionExport(facts, name)
  return {
    capabilities: {
      methods: pluginMethods.filter(isExported),
      jobs: jobNames(facts),
      scheduled_tasks: scheduledTasks.filter(isExported),
    },
    public_jobs: exportedObject(facts, ["publicJobs", "public_jobs"]),
    metrics: exportedObject(facts, ["metrics"]),
  }
}

function isFunctionExport({ exports, scope }: ModuleFacts, name: string): boolean {
  const value = exports.get(name)
  return exports.has(name) && mayBeFunction(value && scope.resolve(value))
}

function jobNames({ exports, scope }: ModuleFacts): readonly string[] {
  const jobs = exports.get("jobs")
  const names = new Set<string>()
  for (const [name] of jobs ? scope.properties(jobs) : []) {
    if (names.size < MAX_JOBS && name.length <= MAX_JOB_NAME_CHARS) names.add(name)
  }
  return [...names]
}

function exportedObject({ exports, scope }: ModuleFacts, names: readonly string[]): JsonObject {
  for (const name of names) {
    const node = exports.get(name)
    const value = node && scope.evaluate(node)
    if (isJsonObject(value)) return value
  }
  return {}
}

async function javaScriptOf(
  file: string,
  text: string,
  compile: Compile,
): Promise<{ readonly code: string } | { readonly error: string }> {
  const limit = `${file} is too large to be read; at most ${MAX_PARSED_BYTES} bytes are`
  if (text.length > MAX_PARSED_BYTES) return { error: limit }
  if (!needsTranspile(file)) return { code: text }
  const result = await compile(file, text)
  if (result.status === "error") return result
  return result.code.length > MAX_PARSED_BYTES ? { error: limit } : result
}
