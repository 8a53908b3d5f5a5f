/**
 * Every endpoint × every kind of caller, with the exact status and code, made from the registry: an endpoint
 * that is added without a row here (where one is needed) fails the test that names it.
 */
import { describe, expect, test } from "vitest"
import type { Access } from "../../src/api/http/access.ts"
import type { Endpoint } from "../../src/api/http/endpoint.ts"
import { LEVEL } from "../../src/api/http/levels.ts"
import { endpoints } from "../../src/api/index.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { type TestApp, useTestApp } from "../support/app.ts"
import { ALLOWED } from "./tenant-matrix-allowed.ts"

const app = useTestApp()

interface Expected {
  readonly status: number
  readonly code: string | undefined
}

type Setting = Awaited<ReturnType<typeof addSetting>>
type CallerName = keyof typeof CALLERS

/** Who calls: the key they send, and what must come of it. */
const CALLERS = {
  "no key": { key: async () => undefined, expected: expectNoKey },
  "a bad key": { key: async () => "phx_nobody-has-this-one", expected: expectBadKey },
  "a key without the scope": {
    key: (setting: Setting) => app.addKey(setting.owner.id, { scopes: ["webhook:read"] }),
    expected: (endpoint: Endpoint) =>
      endpoint.scope === null ? undefined : { status: 403, code: "permission_denied" },
  },
  "a stranger": { key: async (setting: Setting) => setting.stranger.key, expected: expectStranger },
  "a member": {
    key: async (setting: Setting) => setting.member.key,
    expected: expectLevel("member"),
  },
  "an admin": {
    key: async (setting: Setting) => setting.admin.key,
    expected: expectLevel("admin"),
  },
  "an owner": {
    key: async (setting: Setting) => setting.owner.key,
    expected: expectLevel("owner"),
  },
  "an owner's key limited to another organization": {
    key: async ({ owner, elsewhere }: Setting) =>
      app.addKey(owner.id, { organizations: [elsewhere] }),
    expected: expectLimitedToOrganization,
  },
  "an owner's key limited to another project": {
    key: async ({ owner, elsewhereProject }: Setting) =>
      app.addKey(owner.id, { projects: [elsewhereProject] }),
    expected: expectLimitedToProject,
  },
} as const

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)("%s", (_title, endpoint) => {
  test.each(Object.keys(CALLERS) as CallerName[])("called with %s", async (name) => {
    const caller = CALLERS[name]
    const setting = await addSetting(app)
    const key = await caller.key(setting)
    const refused = endpoint.access.kind === "anyone" ? undefined : caller.expected(endpoint)
    const expected = refused ?? allowedAnswer(endpoint, name)
    const { status, body } = await app.call(endpoint.method, addressOf(endpoint, setting), {
      ...(key === undefined ? {} : { key }),
      ...(endpoint.body === undefined ? {} : { body: {} }),
    })
    expect({ status, code: status >= 400 ? body.code : undefined }).toEqual(expected)
  })
})

/** An organization with everybody in it, and another one that the same owner has. */
async function addSetting(testApp: TestApp) {
  const organization = await testApp.addOrganization("Here")
  const { owner } = organization
  const made = await testApp.post("/api/organizations", owner.key, { name: "Elsewhere" })
  await testApp.db`update app_user set current_organization_id = ${organization.id},
                   current_project_id = ${organization.project.id} where id = ${owner.id}`
  const stranger = (await testApp.addOrganization("Strangers")).owner
  return {
    ...organization,
    elsewhere: made.body.id as string,
    elsewhereProject: made.body.teams[0].id as number,
    stranger,
    member: await testApp.addMember(organization.id, "member"),
    admin: await testApp.addMember(organization.id, "admin"),
  }
}

/** The place is real; every other parameter names an object that is not there. */
function addressOf(endpoint: Endpoint, { id, project }: Setting): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const { access } = endpoint
    const isPlace =
      (access.kind === "organization" || access.kind === "project") && access.param === name
    if (!isPlace) return newUuid()
    return access.kind === "organization" ? id : String(project.id)
  })
}

/** What a caller who may call gets: 404 where the path names an object, else what the table says. */
function allowedAnswer(endpoint: Endpoint, caller: CallerName): Expected {
  const row = ALLOWED[endpoint.name]
  if (row !== undefined) {
    const [status, code] = typeof row === "function" ? row(caller) : row
    return { status, code }
  }
  if (hasObject(endpoint)) return { status: 404, code: "not_found" }
  if (endpoint.method === "GET") return { status: endpoint.status, code: undefined }
  throw new Error(`tell in tenant-matrix-allowed.ts what ${endpoint.name} answers to an empty body`)
}

function hasObject({ path, access }: Endpoint): boolean {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return params.some((name) => !("param" in access) || name !== access.param)
}

function expectNoKey(): Expected {
  return { status: 401, code: "not_authenticated" }
}

function expectBadKey(): Expected {
  return { status: 401, code: "authentication_failed" }
}

const DENIED: Expected = { status: 403, code: "permission_denied" }

function expectStranger({ access }: Endpoint): Expected | undefined {
  if (access.kind !== "organization" && access.kind !== "project") return undefined
  return access.foreign === "not_found" ? { status: 404, code: "not_found" } : DENIED
}

function expectLevel(level: keyof typeof LEVEL) {
  return ({ access }: { access: Access }): Expected | undefined =>
    "level" in access && LEVEL[level] < LEVEL[access.level] ? DENIED : undefined
}

function expectLimitedToOrganization({ access }: Endpoint): Expected | undefined {
  if (access.kind === "signed_in") return access.limitedKeys === "none" ? DENIED : undefined
  return DENIED
}

function expectLimitedToProject({ access }: Endpoint): Expected | undefined {
  if (access.kind === "signed_in") return access.limitedKeys === "all" ? undefined : DENIED
  return DENIED
}
