import { invalid, notFound } from "../../lib/errors.ts"
import type { Db } from "../../relational/db.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { signedIn, theOrganization } from "../http/access.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { Organization, OrganizationDraft } from "./schema.ts"
import {
  createOrganization,
  findOrganization,
  isMediaOf,
  listOrganizations,
  removeOrganization,
  updateOrganization,
} from "./store.ts"

const tag = "Organizations"

const list = endpoint({
  name: "organizations_list",
  method: "GET",
  path: "/api/organizations",
  tag,
  summary: "List the organizations you belong to.",
  access: signedIn(),
  scope: "organization:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(Organization),

  async handle({ db, caller, page, paginate }) {
    const limitedTo = caller.key?.scoped_organizations ?? []
    const listing = await listOrganizations(db, { userId: caller.user.id, limitedTo }, page)
    if (listing.count === 0) throw notFound("You need to belong to an organization.")
    return paginate(listing)
  },
})

const create = endpoint({
  name: "organizations_create",
  method: "POST",
  path: "/api/organizations",
  tag,
  summary: "Create an organization, with you as its owner and a first project.",
  access: signedIn("none"),
  scope: "organization:write",
  body: OrganizationDraft,
  reply: Organization,
  status: 201,

  async handle({ db, caller, now, body }) {
    await checkLogo(db, body, caller.user.id)
    const { id } = await createOrganization(db, { ...body, ownerId: caller.user.id, now })
    await recordActivity(db, { caller, now }, { ...entryOf(id, body.name), activity: "created" })
    return getOrganization(db, id, caller.user.id)
  },
})

const retrieve = endpoint({
  name: "organizations_retrieve",
  method: "GET",
  path: "/api/organizations/:id",
  tag,
  summary: "Get one organization.",
  access: theOrganization(),
  scope: "organization:read",
  isKept: true,
  reply: Organization,

  handle: ({ db, caller, organization }) => getOrganization(db, organization.id, caller.user.id),
})

const update = updateEndpoints({
  name: "organizations_update",
  path: "/api/organizations/:id",
  tag,
  summary: "Change an organization.",
  access: theOrganization("admin"),
  scope: "organization:write",
  lock: "organization",
  body: OrganizationDraft,
  reply: Organization,

  async handle({ db, caller, now, organization, body }) {
    await checkLogo(db, body, caller.user.id)
    const before = await getOrganization(db, organization.id, caller.user.id)
    await updateOrganization(db, organization.id, { changes: body, now })
    const changes = changesBetween("Organization", before, body)
    if (changes.length > 0) {
      const entry = { ...entryOf(before.id, before.name), activity: "updated", changes }
      await recordActivity(db, { caller, now }, entry)
    }
    return getOrganization(db, organization.id, caller.user.id)
  },
})

const remove = endpoint({
  name: "organizations_destroy",
  method: "DELETE",
  path: "/api/organizations/:id",
  tag,
  summary: "Delete an organization and everything in it.",
  access: theOrganization("owner"),
  scope: "organization:write",
  lock: "organization",
  reply: null,

  async handle({ db, caller, now, organization: { id, name } }) {
    await removeOrganization(db, id, { userId: caller.user.id, now })
    // The entry must outlive the organization, so it belongs to none.
    const entry = { ...entryOf(id, name), organization_id: null, activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

export const organizationEndpoints = [list, create, retrieve, ...update, remove]

function entryOf(id: string, name: string) {
  return { organization_id: id, scope: "Organization", item_id: id, name }
}

async function getOrganization(db: Db, id: string, userId: number): Promise<Organization> {
  const organization = await findOrganization(db, id, userId)
  if (organization === undefined) throw notFound()
  return organization
}

async function checkLogo(db: Db, draft: Partial<OrganizationDraft>, userId: number): Promise<void> {
  const { logo_media_id: id } = draft
  if (id == null || (await isMediaOf(db, id, userId))) return
  throw invalid(`There is no picture with the id "${id}".`, "logo_media_id", "does_not_exist")
}
