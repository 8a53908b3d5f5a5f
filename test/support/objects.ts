/** One existing object of every kind that a path can name, so that any endpoint can be called for real. */
import type { Endpoint } from "../../src/api/http/endpoint.ts"
import type { TestApp } from "./app.ts"
import { putEvents } from "./events.ts"
import { addPerson } from "./persons.ts"

type Organization = Awaited<ReturnType<TestApp["addOrganization"]>>

/** By the segment of the path before the parameter: makes such an object and gives its id. */
const MAKERS: Readonly<
  Record<string, (app: TestApp, organization: Organization) => Promise<string | number>>
> = {
  organizations: async (_app, { id }) => id,
  projects: async (_app, { project }) => project.id,
  members: async (app, { id }) => (await app.addMember(id)).uuid,
  users: async () => "@me",
  domains: make("domains", (name) => ({ domain: `${name}.example.com` })),
  invites: make("invites", (name) => ({ target_email: `${name}@example.com` })),
  signup: make("invites", (name) => ({ target_email: `${name}@example.org` })),
  pipeline_destinations: make("pipeline_destinations", () => ({ plugin_type: "source" })),
  pipeline_frontend_apps: make("pipeline_frontend_apps", () => ({ plugin_type: "source" })),
  pipeline_import_apps: make("pipeline_import_apps", () => ({ plugin_type: "source" })),
  personal_api_keys: async (app, { owner }) => {
    const draft = { label: "one", scopes: ["organization:read"] }
    return (await app.post("/api/personal_api_keys", owner.key, draft)).body.id
  },
  explicit_members: async (app, { id, owner, project }) => {
    const member = await app.addMember(id)
    const draft = { user_uuid: member.uuid, level: 1 }
    await app.post(`/api/projects/${project.id}/explicit_members`, owner.key, draft)
    return member.uuid
  },
  persons: async (app, { project }) => {
    count += 1
    const distinct_ids = [`person ${count}`, `person ${count} too`]
    return (await addPerson(app, project.id, { distinct_ids, properties: { plan: "free" } })).id
  },
  events: async (app, { project }) => (await putEvents(app, project.id, [{}]))[0] ?? "",
  cohorts: async (app, { owner, project }) => {
    const draft = { name: "one", is_static: true }
    return (await app.post(`/api/projects/${project.id}/cohorts`, owner.key, draft)).body.id
  },
  plugin_configs: async (app, organization) => {
    const plugin = await MAKERS.pipeline_destinations?.(app, organization)
    const url = `/api/projects/${organization.project.id}/plugin_configs`
    return (await app.post(url, organization.owner.key, { plugin, enabled: true, order: 1 })).body
      .id
  },
}

let count = 0

function make(collection: string, draftOf: (name: string) => object) {
  return async (app: TestApp, { url, owner }: Organization): Promise<string> => {
    count += 1
    const { status, body, text } = await app.post(
      `${url}/${collection}`,
      owner.key,
      draftOf(`n${count}`),
    )
    if (status !== 201) throw new Error(`${collection} could not be made: ${text}`)
    return body.id
  }
}

/** The endpoint's path with an object made for each parameter. */
export async function addressWithObjects(
  app: TestApp,
  endpoint: Endpoint,
  organization: Organization,
) {
  let address = endpoint.path
  for (const [parameter, segment = ""] of endpoint.path.matchAll(/(?<=\/(\w+)\/):\w+/g)) {
    const maker = MAKERS[segment]
    if (maker === undefined)
      throw new Error(`tell in test/support/objects.ts how to make one of ${segment}`)
    address = address.replace(parameter, String(await maker(app, organization)))
  }
  return address
}
