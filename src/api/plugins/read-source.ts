/** What the files of a plugin say of it, and each file as it is stored. */
import { type Inference, inferCapabilities } from "../../plugins/capabilities.ts"
import type { PluginFiles } from "../../plugins/files.ts"
import { mergeInferred, type PluginGroup } from "../../plugins/groups.ts"
import { MANIFEST_NAME, type PluginManifest, parseManifest } from "../../plugins/manifest.ts"
import {
  type Compile,
  type Transpiled,
  transpile,
  transpileEntries,
} from "../../plugins/transpile.ts"
import type { PluginUpdate } from "./schema.ts"
import type { SourceFile } from "./source-store.ts"

export interface ReadSource {
  readonly manifest: PluginManifest | undefined
  readonly inference: Inference
  readonly files: readonly SourceFile[]
}

export async function readSource(
  files: PluginFiles,
  compile: Compile = transpile,
): Promise<ReadSource> {
  const text = files.get(MANIFEST_NAME)
  const manifest = text === undefined ? undefined : parseManifest(text)
  const compiled = new Map<string, Transpiled>()
  const compileOnce: Compile = async (name, source) => {
    const result = compiled.get(name) ?? (await compile(name, source))
    compiled.set(name, result)
    return result
  }
  await transpileEntries(files, compileOnce)
  const inference = await inferCapabilities(files, manifest?.main, compileOnce)
  return {
    manifest,
    inference,
    files: [...files].map(([filename, source]) => ({
      filename,
      source,
      ...outcomeOf(filename, compiled.get(filename), inference),
    })),
  }
}

function outcomeOf(name: string, compiled: Transpiled | undefined, inference: Inference) {
  const transpiled = compiled?.status === "transpiled" ? compiled.code : null
  const isUnreadable = inference.status === "error" && inference.file === name
  const problem = compiled?.status === "error" ? compiled.error : null
  const error = problem ?? (isUnreadable ? inference.error : null)
  return {
    transpiled,
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
export function fieldsOfSource(group: PluginGroup, read: ReadSource): PluginUpdate {
  const { manifest, inference } = read
  const inferred = inference.status === "inferred" ? inference : undefined
  return {
    ...(manifest?.name === undefined ? {} : { name: manifest.name }),
    ...(manifest === undefined ? {} : { config_schema: configSchemaOf(manifest) }),
    ...(inferred && { capabilities: { ...mergeInferred(group, inferred.capabilities) } }),
    ...nonEmpty("public_jobs", manifest?.public_jobs, inferred?.public_jobs),
    ...nonEmpty("metrics", manifest?.metrics, inferred?.metrics),
  }
}

/** What a freshly fetched plugin says of itself, the rest of plugin.json included. */
export function fieldsOfPackage(group: PluginGroup, read: ReadSource): PluginUpdate {
  const { description, icon } = read.manifest ?? {}
  return {
    ...fieldsOfSource(group, read),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
  }
}

/** As it is written; a plugin without settings has an empty object, like one that never had a manifest. */
function configSchemaOf({ config }: PluginManifest): NonNullable<PluginUpdate["config_schema"]> {
  if (!isList(config)) return { ...config }
  return config.length > 0 ? [...config] : {}
}

/** The platform's own test does not narrow lists that are read-only. */
function isList<T>(value: readonly T[] | Readonly<Record<string, T>>): value is readonly T[] {
  return Array.isArray(value)
}

type Free = Readonly<Record<string, unknown>> | undefined

function nonEmpty(field: "public_jobs" | "metrics", written: Free, inferred: Free): PluginUpdate {
  const value = [written, inferred].find((each) => Object.keys(each ?? {}).length > 0)
  return value === undefined ? {} : { [field]: { ...value } }
}
