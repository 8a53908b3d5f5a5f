import { hasChallenge } from "../../domains/challenge.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Db } from "../../relational/db.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import { endpoint, updateEndpoints } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import {
  checkNotVerified,
  checkProtectedFields,
  unprovenBy,
  withCleanCertificate,
} from "./rules.ts"
import { Domain, DomainDraft, DomainUpdate } from "./schema.ts"
import { createDomain, findDomain, listDomains, removeDomain, updateDomain } from "./store.ts"

const tag = "Domains"
const SECRET_FIELDS = ["saml_x509_cert"]

interface DomainContext {
  readonly db: Db
  readonly params: { readonly id: string }
  readonly organization: { readonly id: string }
}

const load = (context: DomainContext) => getDomain(context, "read")
const loadToWrite = (context: DomainContext) => getDomain(context, "write")

const list = endpoint({
  name: "domains_list",
  method: "GET",
  path: "/api/organizations/:organization_id/domains",
  tag,
  summary: "List the domains of an organization, by name.",
  access: inOrganization(),
  scope: "organization:read",
  isKept: true,
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  reply: envelopeOf(Domain),

  async handle({ db, organization, page, paginate }) {
    return paginate(await listDomains(db, organization.id, page))
  },
})

const create = endpoint({
  name: "domains_create",
  method: "POST",
  path: "/api/organizations/:organization_id/domains",
  tag,
  summary: "Add a domain; it counts once it is verified.",
  access: inOrganization("admin"),
  scope: "organization:write",
  body: DomainDraft,
  reply: Domain,
  status: 201,

  async handle({ db, caller, now, organization, body }) {
    const domain = await createDomain(db, organization.id, { ...withCleanCertificate(body), now })
    if (domain === undefined) {
      throw invalid(`The domain ${body.domain} is already in use.`, "domain", "unique")
    }
    const entry = { ...entryOf(organization, domain), activity: "created" }
    await recordActivity(db, { caller, now }, entry)
    return domain
  },
})

const retrieve = endpoint({
  name: "domains_retrieve",
  method: "GET",
  path: "/api/organizations/:organization_id/domains/:id",
  tag,
  summary: "Get one domain.",
  access: inOrganization(),
  scope: "organization:read",
  isKept: true,
  reply: Domain,
  load,

  handle: async ({ loaded }) => loaded,
})

const update = updateEndpoints({
  name: "domains_update",
  path: "/api/organizations/:organization_id/domains/:id",
  tag,
  summary: "Change a domain, or how its people sign in. Another name has to be verified anew.",
  access: inOrganization("admin"),
  scope: "organization:write",
  body: DomainUpdate,
  reply: Domain,
  load: loadToWrite,

  async handle({ db, caller, now, organization, loaded: before, body }) {
    checkProtectedFields(body, before)
    const changes = { ...withCleanCertificate(body), ...unprovenBy(body, before) }
    const after = await updateDomain(db, before.id, { ...changes, updated_at: now })
    if (after === undefined) throw notFound()
    await recordActivity(db, { caller, now }, updatedEntry(organization, before, changes))
    return after
  },
})

const remove = endpoint({
  name: "domains_destroy",
  method: "DELETE",
  path: "/api/organizations/:organization_id/domains/:id",
  tag,
  summary: "Remove a domain.",
  access: inOrganization("admin"),
  scope: "organization:write",
  reply: null,
  load: loadToWrite,

  async handle({ db, caller, now, organization, loaded: domain }) {
    await removeDomain(db, domain.id)
    const entry = { ...entryOf(organization, domain), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

const verify = endpoint({
  name: "domains_verify",
  method: "POST",
  path: "/api/organizations/:organization_id/domains/:id/verify",
  tag,
  summary: "Look for the challenge in the TXT records of _hedgerow-challenge.<domain>.",
  access: inOrganization("admin"),
  scope: "organization:write",
  // The lookup takes seconds; afterwards the caller must still be an administrator.
  lock: "organization",
  reply: Domain,
  load: loadToWrite,

  async outside({ services, loaded: domain }) {
    checkNotVerified(domain)
    const { domain: name, verification_challenge } = domain
    const hasProof = await hasChallenge(services.txtResolver, name, verification_challenge)
    return hasProof ? name : undefined
  },

  async handle({ db, caller, now, organization, loaded: before, brought: provenName }) {
    checkNotVerified(before)
    // The domain may have been renamed since the lookup.
    const isProven = provenName === before.domain
    const finding = isProven ? { verified_at: now } : { last_verification_retry: now }
    const after = await updateDomain(db, before.id, { ...finding, updated_at: now })
    if (after === undefined) throw notFound()
    if (isProven) {
      const { is_verified, verified_at } = after
      const entry = updatedEntry(organization, before, { is_verified, verified_at })
      await recordActivity(db, { caller, now }, entry)
    }
    return after
  },
})

export const domainEndpoints = [list, create, retrieve, ...update, remove, verify]

async function getDomain(
  { db, params, organization }: DomainContext,
  purpose: "read" | "write",
): Promise<Domain> {
  const name = { organization_id: organization.id, id: params.id }
  const domain = isUuid(params.id) ? await findDomain(db, name, purpose) : undefined
  if (domain === undefined) throw notFound()
  return domain
}

function entryOf(organization: { id: string }, { id, domain }: Domain) {
  return {
    organization_id: organization.id,
    scope: "OrganizationDomain",
    item_id: id,
    name: domain,
  }
}

function updatedEntry(organization: { id: string }, before: Domain, after: object) {
  const changes = changesBetween("OrganizationDomain", before, { ...after }, SECRET_FIELDS)
  return { ...entryOf(organization, before), activity: "updated", changes }
}
