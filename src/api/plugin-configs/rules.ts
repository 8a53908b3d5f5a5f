/** The settings of a plugin as a project gives them, held against what the plugin asks for. Pure. */
import { invalid } from "../../lib/errors.ts"
import type { Change } from "../activity-log/schema.ts"
import type { Plugin } from "../plugins/schema.ts"

/** Stands for a secret in every answer; sent back it means "as it is". */
const MASK = "********"

export type Settings = Readonly<Record<string, unknown>>

/** Plain values, and secret ones sealed. */
export interface StoredSettings {
  readonly config: Settings
  readonly secrets: Readonly<Record<string, string>>
}

export const noSettings: StoredSettings = { config: {}, secrets: {} }

interface Field {
  readonly key: string
  readonly type: string
  readonly required: boolean
  readonly secret: boolean
  readonly choices: readonly unknown[]
  readonly default: unknown
}

/** Schemas are written by clients too, so nothing of a field is taken for granted. */
function fieldsOf(schema: Plugin["config_schema"]): ReadonlyMap<string, Field> {
  const pairs = Array.isArray(schema)
    ? schema.map((field) => [isObject(field) ? field.key : undefined, field] as const)
    : Object.entries(schema)
  const fields = pairs.flatMap(([key, field]) =>
    typeof key === "string" && key !== "" && isObject(field) ? [fieldOf(key, field)] : [],
  )
  return new Map(fields.map((field) => [field.key, field]))
}

function isObject(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function fieldOf(key: string, field: Settings): Field {
  const { type, required, secret, choices } = field
  return {
    key,
    type: typeof type === "string" ? type : "string",
    required: required === true,
    secret: secret === true,
    choices: Array.isArray(choices) ? choices : [],
    default: field.default,
  }
}

/** The settings after an edit: keys left out stay, null removes one, the mask keeps a secret. */
export function editSettings(
  schema: Plugin["config_schema"],
  stored: StoredSettings,
  { sent, seal }: { readonly sent: Settings; readonly seal: (text: string) => string },
): StoredSettings {
  const fields = fieldsOf(schema)
  checkKnown(fields, Object.keys(sent))
  const config = new Map(Object.entries(stored.config))
  const secrets = new Map(Object.entries(stored.secrets))
  for (const [key, value] of Object.entries(sent)) {
    const field = fields.get(key)
    if (field === undefined || isKept(field, value, { config, secrets })) continue
    config.delete(key)
    secrets.delete(key)
    if (value === null) continue
    checkValue(field, value)
    if (field.secret) secrets.set(key, seal(secretText(field, value)))
    else config.set(key, value)
  }
  for (const field of fields.values()) {
    const isAbsent = !config.has(field.key) && !secrets.has(field.key)
    if (isAbsent && field.default != null && !field.secret) config.set(field.key, field.default)
  }
  return { config: Object.fromEntries(config), secrets: Object.fromEntries(secrets) }
}

function checkKnown(fields: ReadonlyMap<string, Field>, keys: readonly string[]): void {
  const unknown = keys.filter((key) => !fields.has(key))
  if (unknown.length === 0) return
  const known = [...fields.keys()].join(", ") || "none"
  throw invalid(`The plugin has no settings ${unknown.join(", ")}; it has: ${known}.`, "config")
}

type Values = {
  readonly config: ReadonlyMap<string, unknown>
  readonly secrets: ReadonlyMap<string, string>
}

function isKept(field: Field, value: unknown, { config, secrets }: Values): boolean {
  if (value !== MASK || !(field.secret || secrets.has(field.key))) return false
  if (secrets.has(field.key) || config.has(field.key)) return true
  throw invalid(`There is no value behind ${MASK} yet; give one.`, attrOf(field))
}

function checkValue(field: Field, value: unknown): void {
  const attr = attrOf(field)
  switch (field.type) {
    case "choice":
      if (field.choices.includes(value)) return
      throw invalid(
        `${JSON.stringify(value)} is not a valid choice; use ${field.choices.map((choice) => JSON.stringify(choice)).join(", ")}.`,
        attr,
        "invalid_choice",
      )
    case "attachment":
      throw invalid("Files cannot be given here; leave this setting out.", attr)
    case "string":
      if (typeof value !== "string") throw invalid("Expected text.", attr)
      return
    case "json":
      if (typeof value !== "string" || isJson(value)) return
      throw invalid("Expected JSON, as text or as a value.", attr)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text === ""
  }
}

function secretText(field: Field, value: unknown): string {
  if (typeof value === "string") return value
  if (field.type === "json") return JSON.stringify(value)
  throw invalid("Expected text.", attrOf(field))
}

/** Every required setting has a value. */
export function checkComplete(schema: Plugin["config_schema"], stored: StoredSettings): void {
  for (const field of fieldsOf(schema).values()) {
    const value = stored.config[field.key] ?? stored.secrets[field.key] ?? ""
    if (field.required && field.type !== "attachment" && value === "") {
      throw invalid("This field is required.", attrOf(field), "required")
    }
  }
}

function attrOf({ key }: Field): string {
  return `config__${key}`
}

/** As anyone may see them. A value stays hidden when the plugin calls it secret only later, and vice versa. */
export function shownSettings(schema: Plugin["config_schema"], stored: StoredSettings): Settings {
  const fields = fieldsOf(schema)
  const plain = Object.entries(stored.config).map(([key, value]) => [
    key,
    fields.get(key)?.secret === true && value !== "" ? MASK : value,
  ])
  const hidden = Object.keys(stored.secrets).map((key) => [key, MASK])
  return Object.fromEntries([...plain, ...hidden]) as Settings
}

/** Per setting, by what is shown; of secrets only that they changed. */
export function settingChanges(
  schema: Plugin["config_schema"],
  before: StoredSettings,
  after: StoredSettings,
): Change[] {
  const [shownBefore, shownAfter] = [shownSettings(schema, before), shownSettings(schema, after)]
  const keys = new Set([...Object.keys(shownBefore), ...Object.keys(shownAfter)])
  return [...keys].flatMap((field) => {
    if (sameValue(before, after, field)) return []
    const [was, is] = [shownBefore[field] ?? null, shownAfter[field] ?? null]
    const action = was === null ? "created" : is === null ? "deleted" : "changed"
    return [{ type: "PluginConfig", action, field, before: was, after: is }]
  })
}

function sameValue(before: StoredSettings, after: StoredSettings, key: string): boolean {
  const value = ({ config, secrets }: StoredSettings) =>
    JSON.stringify([config[key] ?? null, secrets[key] ?? null])
  return value(before) === value(after)
}
