/** The OpenAPI 3.1 document, derived from the endpoint definitions: what is served is what is described. */
import { z } from "zod"
import { ACCEPTED_STATUS } from "./accepted.ts"
import type { Access } from "./access.ts"
import type { Endpoint } from "./endpoint.ts"
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from "./openapi-types.ts"
import { DEFAULT_PAGE_SIZE } from "./paging.ts"
import { Problem } from "./problem.ts"
import { ALL_SCOPES } from "./scopes.ts"

type Direction = "input" | "output"

export function openApiDocument(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  const components = new Components()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, components),
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Hedgerow API", version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    security: [{ personalApiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        personalApiKey: {
          type: "http",
          scheme: "bearer",
          description: "A personal API key (phx_…).",
        },
      },
      schemas: components.schemas,
    },
  }
}

/** Schemas with a name of their own are described once and referred to. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  describe(schema: z.ZodType, io: Direction): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      target: "draft-2020-12",
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.schemas[name] = withComponentRefs(definition)
    }
    return withComponentRefs(own)
  }
}

function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

function operationOf(endpoint: Endpoint, components: Components): Operation {
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint, components)]
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    "x-scope": shownScope(endpoint),
    "x-access": shownAccess(endpoint.access),
    ...(endpoint.access.kind === "anyone" ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: requestBody(endpoint, endpoint.body, components) }),
    responses: {
      [String(endpoint.status)]: replyOf(endpoint, components),
      ...(endpoint.accepted === undefined
        ? {}
        : {
            [String(ACCEPTED_STATUS)]: {
              description: "The work goes on.",
              content: json(components.describe(endpoint.accepted, "output")),
            },
          }),
      default: { description: "Error", content: json(components.describe(Problem, "output")) },
    },
  }
}

function shownScope({ scope }: Endpoint): string {
  if (scope === null) return "any"
  return typeof scope === "string" ? (scope === ALL_SCOPES ? "*" : scope) : scope.join(" and ")
}

function shownAccess(access: Access): string {
  switch (access.kind) {
    case "anyone":
      return "anyone"
    case "signed_in":
      return "any user"
    case "organization":
      return `${access.level} of the organization`
    case "project":
      return `${access.level} of the project`
  }
}

function pathParameters(endpoint: Endpoint): Parameter[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const description = describeParameter(endpoint, name)
    return {
      name,
      in: "path",
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: { type: "string" },
    }
  })
}

/** Where a word may stand for an id, say so. */
function describeParameter({ access }: Endpoint, name: string): string | undefined {
  if ("param" in access && access.param === name) {
    return `The id of the ${access.kind}, or \`@current\`.`
  }
  return name === "user__uuid" || name === "uuid" ? "The UUID of the user, or `@me`." : undefined
}

function queryParameters(endpoint: Endpoint, components: Components): Parameter[] {
  const described = endpoint.query === undefined ? {} : components.describe(endpoint.query, "input")
  const properties = (described.properties ?? {}) as Record<string, JsonSchema>
  const required = (described.required ?? []) as string[]
  const own = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query" as const,
    required: required.includes(name),
    schema,
  }))
  return endpoint.pageSizeMax === undefined
    ? own
    : [...pageParameters(endpoint.pageSizeMax), ...own]
}

function pageParameters(maximum: number): Parameter[] {
  const limit = { type: "integer", minimum: 1, maximum, default: DEFAULT_PAGE_SIZE }
  const offset = { type: "integer", minimum: 0, default: 0 }
  return [
    { name: "limit", in: "query", required: false, schema: limit },
    { name: "offset", in: "query", required: false, schema: offset },
  ]
}

function requestBody(endpoint: Endpoint, body: z.ZodType, components: Components) {
  const schema = components.describe(body, "input")
  const form = endpoint.takesUpload === true ? { "multipart/form-data": { schema } } : {}
  return { required: true, content: { ...json(schema), ...form } }
}

function replyOf({ reply, replyTypes, streamTypes = [] }: Endpoint, components: Components) {
  if (reply === null) return { description: "No content" }
  const schema = components.describe(reply, "output")
  const content =
    replyTypes === undefined
      ? { ...json(schema), ...contentOf(streamTypes, { type: "string" }) }
      : contentOf(replyTypes, schema)
  return { description: "Success", content }
}

function contentOf(types: readonly string[], schema: JsonSchema) {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

function json(schema: JsonSchema) {
  return { "application/json": { schema } }
}
