/** What the files of a plugin say of it, and each file as it is stored. */
import { DomainError } from "../../lib/errors.ts"
import { type Inference, inferCapabilities } from "../../plugins/capabilities.ts"
import type { PluginFiles } from "../../plugins/files.ts"
import { defaultCapabilities, type PluginGroup } from "../../plugins/groups.ts"
import { findMainFile, findMainProblem } from "../../plugins/main-file.ts"
import { MANIFEST_NAME, type PluginManifest, parseManifest } from "../../plugins/manifest.ts"
import {
  type Compile,
  type Transpiled,
  transpile,
  transpileEntries,
} from "../../plugins/transpile.ts"
import type { Plugin } from "./schema.ts"
import type { SourceFile } from "./source-store.ts"
import type { PluginChanges } from "./store.ts"

export interface ReadSource {
  readonly manifest: PluginManifest | undefined
  readonly inference: Inference
  readonly files: readonly SourceFile[]
}

export async function readSource(
  files: PluginFiles,
  compile: Compile = transpile,
): Promise<ReadSource> {
  const manifest = findManifest(files)
  const mainProblem = findMainProblem(files, manifest?.main)
  const compiled = new Map<string, Transpiled>()
  const compileOnce: Compile = async (name, source) => {
    const result = compiled.get(name) ?? (await compile(name, source))
    compiled.set(name, result)
    return result
  }
  await transpileEntries(files, compileOnce)
  const inference = await inferCapabilities(files, manifest?.main, compileOnce)
  const problems = new Map<string, string>()
  if (mainProblem) problems.set(MANIFEST_NAME, `${MANIFEST_NAME}: ${mainProblem}`)
  if (inference.status === "error") problems.set(inference.file, inference.error)
  return {
    manifest,
    inference,
    files: [...files].map(([filename, source]) => ({
      filename,
      source,
      ...outcomeOf(compiled.get(filename), problems.get(filename)),
    })),
  }
}

function findManifest(files: PluginFiles): PluginManifest | undefined {
  const text = files.get(MANIFEST_NAME)
  return text === undefined ? undefined : parseManifest(text)
}

/** Whether there is source that runs on the server. What is stored may be wrong by the rules of today. */
export function hasCode(files: PluginFiles): boolean {
  try {
    return findMainFile(files, findManifest(files)?.main) !== undefined
  } catch (error) {
    if (error instanceof DomainError) return findMainFile(files, undefined) !== undefined
    throw error
  }
}

function outcomeOf(compiled: Transpiled | undefined, problem: string | undefined) {
  const error = (compiled?.status === "error" ? compiled.error : problem) ?? null
  return {
    transpiled: compiled?.status === "transpiled" ? compiled.code : null,
    status: error === null ? (compiled?.status ?? null) : "error",
    error,
  } as const
}

/** Takes what is known of the same text; only what nobody has compiled yet is compiled. */
export function compileUnless(known: readonly SourceFile[]): Compile {
  return async (name, text) => {
    const row = known.find((file) => file.filename === name && file.source === text)
    if (row?.transpiled != null) return { status: "transpiled", code: row.transpiled }
    if (row?.error != null) return { status: "error", error: row.error }
    return transpile(name, text)
  }
}

/** What an edit of the source changes of the plugin: what the source does not say stays. */
export function fieldsOfSource({ manifest, inference }: ReadSource): PluginChanges {
  const inferred = inference.status === "inferred" ? inference : undefined
  return {
    ...(manifest?.name === undefined ? {} : { name: manifest.name }),
    ...(manifest === undefined ? {} : { config_schema: configSchemaOf(manifest) }),
    ...(inferred && { capabilities: { ...inferred.capabilities } }),
    ...nonEmpty("public_jobs", manifest?.public_jobs, inferred?.public_jobs),
    ...nonEmpty("metrics", manifest?.metrics, inferred?.metrics),
  }
}

/** What a freshly fetched plugin says of itself, the rest of plugin.json included. */
export function fieldsOfPackage(group: PluginGroup, read: ReadSource): PluginChanges {
  const { description, icon } = read.manifest ?? {}
  return {
    capabilities: { ...defaultCapabilities(group) },
    ...fieldsOfSource(read),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
  }
}

/** As it is written; a plugin without settings has an empty object, like one that never had a manifest. */
function configSchemaOf({ config }: PluginManifest): Plugin["config_schema"] {
  if (!isList(config)) return { ...config }
  return config.length > 0 ? [...config] : {}
}

/** The platform's own test does not narrow lists that are read-only. */
function isList<T>(value: readonly T[] | Readonly<Record<string, T>>): value is readonly T[] {
  return Array.isArray(value)
}

type Free = Readonly<Record<string, unknown>> | undefined

function nonEmpty(field: "public_jobs" | "metrics", written: Free, inferred: Free): PluginChanges {
  const value = [written, inferred].find((each) => Object.keys(each ?? {}).length > 0)
  return value === undefined ? {} : { [field]: { ...value } }
}
