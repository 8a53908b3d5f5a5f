import { execFileSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import type { JsonSchema, OpenApiDocument, Operation } from "../openapi-types.ts"
import { printCurl } from "./curl.ts"
import { referenceCss, renderReference } from "./page.ts"
import type { Schemas } from "./type.ts"

const schemas: Schemas = {
  Invite: {
    type: "object",
    description: "An open invitation.",
    properties: {
      id: { type: "string", format: "uuid", pattern: "^[0-9a-f-]{36}$" },
      created_by: { anyOf: [{ $ref: "#/components/schemas/User" }, { type: "null" }] },
      access: {
        type: "array",
        items: { type: "object", properties: { level: { enum: [1, 8] } }, required: ["level"] },
      },
    },
    required: ["id"],
  },
  User: { type: "object", properties: { email: { type: "string", format: "email" } } },
}

const createInvite: Operation = {
  operationId: "createInvite",
  tags: ["Invites"],
  summary: "Invite a person.",
  description: "Sends a mail when `send_email` is true.\n\nOnce.",
  "x-scope": "organization_member:write",
  "x-access": "admin of the organization",
  parameters: [
    { name: "organization_id", in: "path", required: true, schema: { type: "string" } },
    {
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    },
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            target_email: { type: "string", format: "email" },
            first_name: { type: "string", maxLength: 30 },
            nested: { type: "object", properties: { deep: { type: "boolean" } } },
          },
          required: ["target_email"],
        },
      },
    },
  },
  responses: {
    "201": content("Invited", { $ref: "#/components/schemas/Invite" }),
    default: content("Error", { type: "object", properties: { detail: { type: "string" } } }),
  },
}

function content(description: string, schema: JsonSchema) {
  return { description, content: { "application/json": { schema } } }
}

const path = "/api/organizations/{organization_id}/invites"
const openapi: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "Hedgerow API", version: "1.2.3" },
  paths: {
    [path]: { post: createInvite },
    "/_livez": {
      get: {
        operationId: "live",
        tags: ["Health"],
        summary: "Is it up?",
        security: [],
        responses: { "204": { description: "Yes" } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "http", description: "A personal API key." } },
    schemas,
  },
}

const words = (page: string) =>
  page
    .replaceAll("<wbr>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")

describe("the reference", () => {
  const page = renderReference(openapi)

  test("shows title, version, how to authenticate and every operation", () => {
    const text = words(page)
    expect(text).toContain("Hedgerow API 1.2.3")
    expect(text).toContain("A personal API key.")
    expect(text).toContain("POST /api/organizations/ {organization_id} /invites")
    expect(text).toContain("Is it up?")
  })

  test("tells who may call, with which scope, and what to send and expect", () => {
    const text = words(page)
    expect(text).toContain(
      "For admin of the organization Scope of the key organization_member:write",
    )
    expect(text).toContain("Is it up? Key not needed")
    expect(text).toContain("limit integer 1 to 1,000; default 100")
    expect(text).toContain("target_email required string (email)")
    expect(text).toContain("first_name string at most 30 characters")
    expect(text).toContain("nested.deep boolean")
    expect(text).toContain("201 Invite Invited")
    expect(text).toContain("other object Error")
  })

  test("prints a description in paragraphs with its code marked", () => {
    expect(page).toContain(
      "<p>Sends a mail when <code>send_email</code> is true.</p>\n<p>Once.</p>",
    )
  })

  test("has balanced tags, unique ids, and a target for each of its links", () => {
    expectSound(page)
    expect(page).toContain('href="#schema-Invite"')
  })

  test("needs neither script nor inline style", () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i)
    expect(referenceCss).not.toMatch(/url\(|@import/)
    expect(referenceCss).toContain("prefers-color-scheme: dark")
  })

  test("of an empty document is a page too", () => {
    const empty = renderReference({ ...openapi, paths: {}, components: { schemas: {} } })
    expectSound(empty)
    expect(empty).not.toContain("Schemas")
  })
})

describe("hostile text", () => {
  const evil = `"><script>alert('x')</script><img src=x onerror=y>&amp;`
  const schema: JsonSchema = {
    type: "object",
    description: evil,
    properties: { [evil]: { type: evil, format: evil, default: evil, description: evil } },
    required: [evil],
  }
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: { title: evil, version: evil, description: evil },
    paths: {
      [`/${evil}/{${evil}}`]: {
        [evil]: {
          ...createInvite,
          tags: [evil],
          summary: evil,
          description: evil,
          "x-scope": evil,
          "x-access": evil,
          parameters: [{ name: evil, in: "query", required: true, description: evil, schema }],
          requestBody: { required: false, content: { [evil]: { schema } } },
          responses: { [evil]: content(evil, { $ref: `#/components/schemas/${evil}` }) },
        },
      },
    },
    components: { securitySchemes: { [evil]: { description: evil } }, schemas: { [evil]: schema } },
  }

  test("is shown as text wherever it stands", () => {
    const page = renderReference(document)
    expect(page).not.toMatch(/<script|<img/i)
    expect(page).toContain("&lt;script&gt;")
    expectSound(page)
  })

  test("leaves the shell alone: a curl line has exactly its own arguments", () => {
    const sample = { type: "object", properties: { a: { enum: ["it's `id` $(id)"] } } }
    const operation: Operation = {
      ...createInvite,
      requestBody: { required: true, content: { "application/json": { schema: sample } } },
    }
    const line = printCurl({ method: "post", path: '/a"; id `id` $(id)/{id}', operation, schemas })
    const script = `curl() { printf '%s\\n' "$@"; }; HEDGEROW_URL=U HEDGEROW_API_KEY=K id=7\n${line}`
    expect(execFileSync("sh", ["-c", script]).toString().split("\n")).toEqual([
      "-X",
      "POST",
      'U/a"; id `id` $(id)/7',
      "-H",
      "Authorization: Bearer K",
      "-H",
      "Content-Type: application/json",
      "-d",
      `{"a":"it's \`id\` $(id)"}`,
      "",
    ])
  })
})

/** Every tag is closed in order, no id is taken twice, and every inner link leads somewhere. */
function expectSound(page: string): void {
  const voidTags = new Set(["meta", "link", "br", "wbr", "img", "!doctype"])
  const open: string[] = []
  for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    if (voidTags.has(name.toLowerCase())) continue
    if (slash === "") open.push(name)
    else expect(open.pop()).toBe(name)
  }
  expect(open).toEqual([])
  const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
}
