/** JSON schemas as short, linked type text, such as `string (uuid) | null` or `Invite[]`. */
import { type Html, html } from "../../../lib/html.ts"
import type { JsonSchema } from "../openapi-types.ts"

const MAX_DEPTH = 8
const MAX_ENUM_SHOWN = 16
const REF_PREFIX = "#/components/schemas/"

export type Schemas = Readonly<Record<string, JsonSchema>>

export function printType(schema: unknown, schemas: Schemas, depth = 0): Html {
  const known = asSchema(schema)
  if (schema === false) return html`never`
  if (known === undefined || depth > MAX_DEPTH) return html`any`
  const ref = refName(known)
  if (ref !== undefined) return printRef(ref, schemas)
  const inner = (part: unknown) => printType(part, schemas, depth + 1)
  const alternatives = listAlternatives(known)
  if (alternatives.length > 0) return joinTypes(alternatives.map(inner), " | ")
  const all = asList(known.allOf)
  if (all.length > 0) return joinTypes(all.map(inner), " & ")
  if ("const" in known) return html`${printJson(known.const)}`
  if (Array.isArray(known.enum)) return printEnum(known.enum)
  const types = [known.type].flat().map((type) => printNamedType(type, known, inner))
  return joinTypes(types, " | ")
}

function printNamedType(type: unknown, schema: JsonSchema, inner: (part: unknown) => Html): Html {
  if (type === "array") return printArray(schema, inner)
  if (type === "object") return printObject(schema, inner)
  if (typeof type !== "string") return html`any`
  const format = type === "null" ? undefined : schema.format
  return typeof format === "string" ? html`${type} (${format})` : html`${type}`
}

function printArray(schema: JsonSchema, inner: (part: unknown) => Html): Html {
  const places = asList(schema.prefixItems)
  if (places.length > 0) return html`[${joinTypes(places.map(inner), ", ")}]`
  const item = inner(schema.items ?? {})
  return /^map of | (\||&amp;) /.test(item.text) ? html`(${item})[]` : html`${item}[]`
}

function printObject(schema: JsonSchema, inner: (part: unknown) => Html): Html {
  const values = asSchema(schema.additionalProperties)
  const isMap = values !== undefined && Object.keys(values).length > 0
  return isMap && !asSchema(schema.properties) ? html`map of ${inner(values)}` : html`object`
}

function printEnum(values: readonly unknown[]): Html {
  const shown = values.slice(0, MAX_ENUM_SHOWN).map((value) => html`${printJson(value)}`)
  const rest = values.length - shown.length
  return joinTypes(rest > 0 ? [...shown, html`… ${rest} more`] : shown, " | ")
}

function printRef(name: string, schemas: Schemas): Html {
  if (!Object.hasOwn(schemas, name)) return html`${name}`
  return html`<a href="#${anchor("schema", name)}">${name}</a>`
}

function joinTypes(types: readonly Html[], separator: string): Html {
  const unique = types.filter(
    (type, index) => types.findIndex((t) => t.text === type.text) === index,
  )
  return html`${unique.map((type, index) => [index > 0 && separator, type])}`
}

/** The members of a union; `oneOf` and `anyOf` mean the same to a reader. */
export function listAlternatives(schema: JsonSchema): readonly unknown[] {
  return asList(schema.anyOf ?? schema.oneOf)
}

export function refName(schema: JsonSchema): string | undefined {
  const ref = schema.$ref
  return typeof ref === "string" ? ref.replace(REF_PREFIX, "") : undefined
}

/** Follows a reference to its schema; the bound keeps a circle of references from turning for ever. */
export function resolveSchema(schema: unknown, schemas: Schemas): JsonSchema | undefined {
  let known = asSchema(schema)
  for (let depth = 0; known && depth <= MAX_DEPTH; depth += 1) {
    const name = refName(known)
    if (name === undefined) return known
    known = Object.hasOwn(schemas, name) ? asSchema(schemas[name]) : undefined
  }
  return undefined
}

export function asSchema(value: unknown): JsonSchema | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonSchema) : undefined
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function printJson(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/** An id that any name may have and no two names share. */
export function anchor(kind: string, name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/gu, (c) => `.${(c.codePointAt(0) ?? 0).toString(16)}.`)
  return `${kind}-${safe}`
}
