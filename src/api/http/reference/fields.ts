/** The fields of a schema as table rows: objects inside objects become dotted names. */
import { type Html, html } from "../../../lib/html.ts"
import type { JsonSchema } from "../openapi-types.ts"
import {
  asList,
  asSchema,
  listAlternatives,
  printJson,
  printType,
  refName,
  resolveSchema,
  type Schemas,
} from "./type.ts"

const MAX_NESTING = 4
const MAX_ROWS = 200
const MAX_PATTERN_CHARS = 60

export interface Field {
  readonly name: string
  readonly type: Html
  readonly isRequired: boolean
  readonly notes: readonly Html[]
}

/** A named schema inside is only linked; it has a place of its own. */
export function listFields(schema: unknown, schemas: Schemas): readonly Field[] {
  const fields: Field[] = []
  addFields(resolveSchema(schema, schemas), "", 0)
  return fields.slice(0, MAX_ROWS)

  function addFields(parent: JsonSchema | undefined, prefix: string, depth: number): void {
    if (parent === undefined || depth > MAX_NESTING || fields.length > MAX_ROWS) return
    for (const part of asList(parent.allOf)) addFields(resolveSchema(part, schemas), prefix, depth)
    const required = asList(parent.required)
    for (const [name, field] of Object.entries(asSchema(parent.properties) ?? {})) {
      const path = `${prefix}${name}`
      fields.push({
        name: path,
        type: printType(field, schemas),
        isRequired: required.includes(name),
        notes: listNotes(asSchema(field) ?? {}),
      })
      const [inner, suffix] = findInner(asSchema(field) ?? {})
      addFields(inner, `${path}${suffix}.`, depth + 1)
    }
    const [item, suffix] = depth === 0 ? findInner(parent) : []
    if (item !== undefined && item !== parent) addFields(item, `${suffix}.`, depth + 1)
  }
}

/** The object written in place inside a field: the field itself, its items, or the half that is not null. */
function findInner(schema: JsonSchema): readonly [JsonSchema | undefined, string] {
  if (refName(schema) !== undefined) return [undefined, ""]
  if (asSchema(schema.properties)) return [schema, ""]
  const items = asSchema(schema.items)
  if (items) {
    const [inner, suffix] = findInner(items)
    return [inner, `[]${suffix}`]
  }
  const found = listAlternatives(schema)
    .map((part) => findInner(asSchema(part) ?? {}))
    .filter(([inner]) => inner !== undefined)
  return found.length === 1 && found[0] ? found[0] : [undefined, ""]
}

/** Description, bounds and default, each as a short text. */
export function listNotes(schema: JsonSchema): readonly Html[] {
  const notes: Html[] = []
  const { description, pattern, format } = schema
  if (typeof description === "string" && description !== "") notes.push(printProse(description))
  for (const part of [schema, ...listAlternatives(schema).map((one) => asSchema(one) ?? {})]) {
    const bounds = printBounds(part)
    if (bounds !== "") notes.push(html`${bounds}`)
  }
  const isShort = typeof pattern === "string" && pattern.length <= MAX_PATTERN_CHARS
  if (isShort && format === undefined) notes.push(html`matches <code>${pattern}</code>`)
  if ("default" in schema) notes.push(html`default <code>${printJson(schema.default)}</code>`)
  if (schema.readOnly === true) notes.push(html`read-only`)
  if (schema.deprecated === true) notes.push(html`deprecated`)
  return notes
}

function printBounds(schema: JsonSchema): string {
  const unit = ("minLength" in schema || "maxLength" in schema) && "characters"
  const items = ("minItems" in schema || "maxItems" in schema) && "items"
  const min = bound(schema.minimum ?? schema.minLength ?? schema.minItems)
  const max = bound(schema.maximum ?? schema.maxLength ?? schema.maxItems)
  const range =
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : min !== undefined
        ? `at least ${min}`
        : max !== undefined
          ? `at most ${max}`
          : ""
  return range && [range, unit || items].filter(Boolean).join(" ")
}

/** The limits of exact integers say nothing to a reader. */
function bound(value: unknown): string | undefined {
  const isTelling = typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return isTelling ? value.toLocaleString("en-GB") : undefined
}

/** Plain text with `code` marks. */
export function printProse(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
