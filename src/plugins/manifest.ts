/** plugin.json: what a plugin says of itself. Keys it does not know are let through, wrong ones are not. */
import { z } from "zod"
import { invalid } from "../lib/errors.ts"
import { isStorable, type PluginFiles } from "./files.ts"
import { findMainProblem } from "./main-file.ts"
import { firstProblem } from "./shape-problem.ts"
import { isInRange } from "./version-range.ts"

export const MANIFEST_NAME = "plugin.json"

/** The release of the public plugin interface that requirements in plugin.json are compared with. */
export const PLUGIN_INTERFACE_VERSION = "1.43.1"

const MAX_NAME_CHARS = 200
const MAX_URL_CHARS = 800
const MAX_ICON_CHARS = 800
const MAX_DESCRIPTION_CHARS = 10_000
const MAX_CONFIG_FIELDS = 200
const MAX_NESTING = 32

/** One setting of a plugin, or a piece of text between settings (`markdown` alone). */
const ConfigField = z.looseObject({
  key: z.string().min(1).max(MAX_NAME_CHARS).optional(),
  name: z.string().max(MAX_NAME_CHARS).optional(),
  type: z.string().max(MAX_NAME_CHARS).optional(),
  default: z.json().optional(),
  required: z.boolean().optional(),
  secret: z.boolean().optional(),
  hint: z.string().optional(),
  choices: z.array(z.string()).optional(),
  order: z.number().optional(),
  markdown: z.string().optional(),
})
type ConfigField = z.infer<typeof ConfigField>

const ConfigList = z
  .array(ConfigField)
  .max(MAX_CONFIG_FIELDS)
  .check(({ value, issues }) => {
    const keys = new Set<string>()
    for (const [i, field] of value.entries()) {
      const message = findFieldProblem(field, keys)
      if (message) issues.push({ code: "custom", message, path: [i], input: field })
      if (field.key !== undefined) keys.add(field.key)
    }
  })

const ConfigObject = z
  .record(z.string(), ConfigField, "expected a list of fields, or an object of key to field")
  .refine((fields) => Object.keys(fields).length <= MAX_CONFIG_FIELDS, "too many fields")

const JsonObject = z.record(z.string(), z.json())

const Manifest = z.looseObject({
  name: z.string().max(MAX_NAME_CHARS).nullish(),
  url: z.string().max(MAX_URL_CHARS).nullish(),
  description: z.string().max(MAX_DESCRIPTION_CHARS).nullish(),
  icon: z.string().max(MAX_ICON_CHARS).nullish(),
  main: z.string().max(MAX_NAME_CHARS).nullish(),
  lib: z.string().max(MAX_NAME_CHARS).nullish(),
  stateless: z.boolean().nullish(),
  posthogVersion: z.string().nullish(),
  config: z.unknown().optional(),
  publicJobs: JsonObject.nullish(),
  public_jobs: JsonObject.nullish(),
  metrics: JsonObject.nullish(),
})

export interface PluginManifest {
  readonly name: string | undefined
  readonly url: string | undefined
  readonly description: string | undefined
  readonly icon: string | undefined
  readonly main: string | undefined
  readonly lib: string | undefined
  readonly stateless: boolean
  /** As written: a list of fields, or an object of key to field. */
  readonly config: readonly ConfigField[] | Readonly<Record<string, ConfigField>>
  readonly public_jobs: Readonly<Record<string, unknown>>
  readonly metrics: Readonly<Record<string, unknown>>
}

/** The manifest among the files; refused when it is missing or wrong. */
export function getManifest(files: PluginFiles): PluginManifest {
  const text = files.get(MANIFEST_NAME)
  if (text === undefined) throw invalid(`the plugin has no ${MANIFEST_NAME}`)
  const manifest = parseManifest(text)
  const problem = findMainProblem(files, manifest.main)
  if (problem) throw invalid(`${MANIFEST_NAME}: ${problem}`)
  return manifest
}

export function parseManifest(text: string): PluginManifest {
  const parsed = Manifest.safeParse(parseJson(text))
  if (!parsed.success) throw invalid(`${MANIFEST_NAME}: ${firstProblem(parsed.error)}`)
  const given = parsed.data
  const config = parseConfig(given.config)
  checkVersion(given.posthogVersion ?? undefined)
  if (given.stateless && Object.keys(config).length > 0) {
    throw invalid(`${MANIFEST_NAME}: a stateless plugin has no config; drop one of the two`)
  }
  return {
    name: given.name?.trim() || undefined,
    url: given.url ?? undefined,
    description: given.description ?? undefined,
    icon: given.icon ?? undefined,
    main: given.main ?? undefined,
    lib: given.lib ?? undefined,
    stateless: given.stateless ?? false,
    config,
    public_jobs: given.publicJobs ?? given.public_jobs ?? {},
    metrics: given.metrics ?? {},
  }
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`${MANIFEST_NAME} is not JSON: ${reason}`)
  }
  checkStorable(value, MAX_NESTING)
  return value
}

/** What is nested without bound would break whoever walks it: the checks here, storing, answering. */
function checkStorable(value: unknown, levels: number): void {
  if (typeof value === "string" && !isStorable(value)) {
    throw invalid(`${MANIFEST_NAME} holds a NUL or half a character`)
  }
  if (typeof value !== "object" || value === null) return
  if (levels === 0) throw invalid(`${MANIFEST_NAME} is nested deeper than ${MAX_NESTING} levels`)
  for (const [key, inner] of Object.entries(value)) {
    checkStorable(key, levels)
    checkStorable(inner, levels - 1)
  }
}

function parseConfig(value: unknown): PluginManifest["config"] {
  if (value === undefined || value === null) return []
  // Checked one by one, since a union's error would not say which field is wrong.
  const parsed = (Array.isArray(value) ? ConfigList : ConfigObject).safeParse(value)
  if (!parsed.success) throw invalid(`${MANIFEST_NAME}: ${firstProblem(parsed.error, ["config"])}`)
  return parsed.data
}

function findFieldProblem(field: ConfigField, earlier: ReadonlySet<string>): string | undefined {
  if (field.key === undefined && field.markdown === undefined)
    return "a field needs a key, or markdown"
  return earlier.has(field.key ?? "") ? `a second field "${field.key}"` : undefined
}

function checkVersion(range: string | undefined): void {
  if (range === undefined) return
  const isMet = isInRange(PLUGIN_INTERFACE_VERSION, range)
  const shown = JSON.stringify(range.slice(0, 80))
  if (isMet === undefined) {
    throw invalid(
      `${MANIFEST_NAME}: posthogVersion ${shown} is no version range; write ">= 1.25.0"`,
    )
  }
  if (isMet) return
  throw invalid(
    `${MANIFEST_NAME}: posthogVersion asks for ${shown}; this platform offers ${PLUGIN_INTERFACE_VERSION}`,
  )
}
