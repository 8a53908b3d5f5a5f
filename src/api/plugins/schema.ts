import { z } from "zod"
import type { Upload } from "../http/endpoint.ts"
import { anyText, freeObject } from "../http/fields.ts"
import { checkStorable } from "../http/json-text.ts"

const NAME_MAX = 200
const DESCRIPTION_MAX = 10_000
const ICON_MAX = 800
const TAG_MAX = 200
const URL_MAX = 800
/** Of each free-form field, as JSON text. */
const JSON_CHARS_MAX = 256 * 1024

const pluginTypes = ["local", "custom", "repository", "source", "inline"] as const
const PluginType = z.enum(pluginTypes)

const ConfigSchema = z
  .union([z.array(z.unknown()), freeObject], { error: "Expected an object or a list." })
  .meta({ description: "One field per setting, in order; or an object of key to field." })

export const Plugin = z
  .object({
    id: z.int(),
    plugin_type: PluginType.nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string().nullable(),
    icon: z.string().nullable(),
    config_schema: ConfigSchema,
    tag: z.string().nullable(),
    latest_tag: z.string().nullable(),
    is_global: z.boolean(),
    organization_id: z.uuid(),
    organization_name: z.string(),
    capabilities: freeObject,
    metrics: freeObject,
    public_jobs: freeObject,
  })
  .meta({ id: "Plugin" })
export type Plugin = z.infer<typeof Plugin>

export const PluginWithSource = Plugin.extend({
  source: z.record(z.string(), z.string()).meta({ description: "File name to text." }),
  source_errors: z
    .record(z.string(), z.string())
    .meta({ description: "File name to what the compiler says of it." }),
}).meta({ id: "PluginWithSource" })
export type PluginWithSource = z.infer<typeof PluginWithSource>

/** A plugin that is offered; what only an installed one has is null until then. */
export const CataloguePlugin = Plugin.extend({
  id: z.int().nullable(),
  organization_id: z.uuid().nullable(),
  organization_name: z.string().nullable(),
  verified: z.boolean(),
  maintainer: z.string(),
}).meta({ id: "CataloguePlugin" })
export type CataloguePlugin = z.infer<typeof CataloguePlugin>

function isSmall(value: unknown): boolean {
  return JSON.stringify(value).length <= JSON_CHARS_MAX
}

const tooLarge = {
  error: `Ensure this has no more than ${JSON_CHARS_MAX} characters as JSON.`,
  params: { code: "max_length" },
}

const smallObject = freeObject.refine(isSmall, tooLarge)

const names = z
  .custom<string[]>(isListOfText, "Expected a list of text.")
  .optional()
  .meta({ type: "array", items: { type: "string" } })

const capabilities = z
  .looseObject({ methods: names, jobs: names, scheduled_tasks: names })
  .refine(isSmall, tooLarge)

export const PluginUpdate = z.object({
  plugin_type: PluginType.nullable().optional(),
  name: anyText(NAME_MAX).nullable().optional(),
  description: anyText(DESCRIPTION_MAX).nullable().optional(),
  icon: anyText(ICON_MAX).nullable().optional(),
  config_schema: ConfigSchema.refine(isSmall, tooLarge).optional(),
  tag: anyText(TAG_MAX).nullable().optional(),
  is_global: z.boolean().optional(),
  capabilities: capabilities.optional(),
  metrics: smallObject.optional(),
  public_jobs: smallObject.optional(),
})
export type PluginUpdate = z.infer<typeof PluginUpdate>

const FormDraft = PluginUpdate.extend({
  capabilities: capabilities.nullable().optional().meta({
    description: "Without any, what the source exports, else what the group is for.",
  }),
  url: anyText(URL_MAX).nullable().optional().meta({
    description: "A GitHub or GitLab repository, an npm package, or a `file:` path on the host.",
  }),
  archive: z
    .custom<Upload>(isUpload, "Expected a file: send it as multipart/form-data.")
    .optional()
    .meta({ type: "string", format: "binary", description: "A .zip or .tgz with a plugin.json." }),
})

/** Forms carry text only, so their objects and flags are JSON text; a JSON body is taken as it is. */
export const PluginDraft = z.preprocess(readFormFields, FormDraft)
export type PluginDraft = z.infer<typeof PluginDraft>

const JSON_FIELDS = ["config_schema", "is_global", "capabilities", "metrics", "public_jobs"]

function readFormFields(body: unknown): unknown {
  const isForm = typeof body === "object" && body !== null && Object.values(body).some(isUpload)
  if (!isForm) return body
  const entries = Object.entries(body)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      JSON_FIELDS.includes(name) ? jsonOf(value, name) : value,
    ]),
  )
}

/** What is no JSON stays text, which the field then refuses. */
function jsonOf(text: unknown, field: string): unknown {
  if (typeof text !== "string") return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  checkStorable(value, [field])
  return value
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}

function isUpload(value: unknown): value is Upload {
  return (value as Partial<Upload> | null | undefined)?.bytes instanceof Uint8Array
}

/** File name to text, or null to remove the file; read by `parseSourceChanges`, which knows the bounds. */
export const SourceEdit = z.unknown().meta({
  type: "object",
  additionalProperties: { type: ["string", "null"] },
  description: "File name to text, or null to remove the file; others stay as they are.",
})
