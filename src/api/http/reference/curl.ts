/** A curl line for an operation that runs as soon as the variables in it are set. */
import type { Operation } from "../openapi-types.ts"
import { asList, asSchema, listAlternatives, resolveSchema, type Schemas } from "./type.ts"

const MAX_DEPTH = 4
const MAX_OPTIONAL_FIELDS = 1

export interface CurlFacts {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly schemas: Schemas
}

export function printCurl({ method, path, operation, schemas }: CurlFacts): string {
  const parts = [method === "get" ? "curl" : `curl -X ${method.toUpperCase()}`]
  parts[0] += ` "$HEDGEROW_URL${shellPath(path)}"`
  if (!isOpen(operation)) parts.push(`-H "Authorization: Bearer $HEDGEROW_API_KEY"`)
  const schema = operation.requestBody?.content["application/json"]?.schema
  if (schema !== undefined) {
    parts.push(`-H "Content-Type: application/json"`)
    parts.push(`-d ${singleQuoted(JSON.stringify(sampleOf(schema, schemas)) ?? "{}")}`)
  }
  return parts.join(" \\\n  ")
}

export function isOpen(operation: Operation): boolean {
  return operation.security !== undefined && operation.security.length === 0
}

/** `{organization_id}` becomes the shell variable of that name; everything else stays as it is written. */
function shellPath(path: string): string {
  return path
    .split(/\{([A-Za-z_]\w*)\}/)
    .map((part, index) => (index % 2 === 1 ? `$${part}` : part.replace(/["$`\\]/g, "\\$&")))
    .join("")
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A small value that fits: the required fields, or one field where none is required. */
function sampleOf(schema: unknown, schemas: Schemas, depth = 0): unknown {
  const known = resolveSchema(schema, schemas) ?? {}
  const given = [asList(known.examples)[0], known.const, asList(known.enum)[0]]
  const found = given.find((value) => value !== undefined)
  if (found !== undefined) return found
  const alternatives = [...listAlternatives(known), ...asList(known.allOf)]
  if (alternatives.length > 0) return sampleOf(alternatives[0], schemas, depth + 1)
  if (known.default !== undefined && known.default !== null) return known.default
  const type = [known.type].flat()[0]
  if (type === "object") return depth > MAX_DEPTH ? {} : sampleObject()
  if (type === "array") return depth > MAX_DEPTH ? [] : [sampleOf(known.items, schemas, depth + 1)]
  return sampleScalar(type, known.format)

  function sampleObject(): Record<string, unknown> {
    const properties = Object.entries(asSchema(known.properties) ?? {})
    const required = asList(known.required)
    const wanted = properties.filter(([name]) => required.includes(name))
    const chosen = wanted.length > 0 ? wanted : properties.slice(0, MAX_OPTIONAL_FIELDS)
    return Object.fromEntries(
      chosen.map(([name, field]) => [name, sampleOf(field, schemas, depth + 1)]),
    )
  }
}

const SCALARS: Readonly<Record<string, unknown>> = {
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
}

const TEXTS: Readonly<Record<string, string>> = {
  email: "bo@example.com",
  uuid: "01890000-0000-7000-8000-000000000000",
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  uri: "https://example.com",
  url: "https://example.com",
}

function sampleScalar(type: unknown, format: unknown): unknown {
  if (typeof type === "string" && Object.hasOwn(SCALARS, type)) return SCALARS[type]
  return typeof format === "string" && Object.hasOwn(TEXTS, format) ? TEXTS[format] : "text"
}
