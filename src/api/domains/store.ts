import { newUuid, randomUrlSafe } from "../../lib/ids.ts"
import { type Db, first } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import type { Domain, DomainDraft, DomainUpdate } from "./schema.ts"

function domainColumns(db: Db) {
  return db`d.id, d.domain, d.verified_at is not null as is_verified, d.verified_at,
    d.verification_challenge, d.jit_provisioning_enabled, d.sso_enforcement,
    d.saml_entity_id, d.saml_acs_url, d.saml_x509_cert,
    (coalesce(d.saml_entity_id, '') <> '' and coalesce(d.saml_acs_url, '') <> ''
     and coalesce(d.saml_x509_cert, '') <> '') as has_saml`
}

/** By name, A to Z. */
export function listDomains(db: Db, organizationId: string, page: Page): Promise<Listing<Domain>> {
  const matching = db`from organization_domain d where d.organization_id = ${organizationId}`
  return listed(
    page,
    db<Domain[]>`
      select ${domainColumns(db)} ${matching}
      order by d.domain limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

export interface DomainName {
  readonly organization_id: string
  readonly id: string
}

export function findDomain(
  db: Db,
  { organization_id, id }: DomainName,
  purpose: "read" | "write" = "read",
) {
  return first(db<Domain[]>`
    select ${domainColumns(db)} from organization_domain d
    where d.id = ${id} and d.organization_id = ${organization_id}
    ${purpose === "write" ? db`for no key update` : db``}`)
}

/** Undefined when the domain is taken, by whatever organization. */
export function createDomain(
  db: Db,
  organizationId: string,
  { now, ...draft }: DomainDraft & { now: Date },
): Promise<Domain | undefined> {
  return first(db<Domain[]>`
    insert into organization_domain as d
      (id, organization_id, domain, verification_challenge, saml_entity_id, saml_acs_url,
       saml_x509_cert, created_at, updated_at)
    values (${newUuid()}, ${organizationId}, ${draft.domain}, ${randomUrlSafe()},
            ${draft.saml_entity_id ?? null}, ${draft.saml_acs_url ?? null},
            ${draft.saml_x509_cert ?? null}, ${now}, ${now})
    on conflict (domain) do nothing
    returning ${domainColumns(db)}`)
}

export interface DomainChanges extends Partial<DomainUpdate> {
  readonly verified_at?: Date | null
  readonly last_verification_retry?: Date
  readonly updated_at: Date
}

/** Undefined when the domain is gone. */
export function updateDomain(db: Db, id: string, changes: DomainChanges) {
  return first(db<Domain[]>`
    update organization_domain d set ${db({ ...changes })} where d.id = ${id}
    returning ${domainColumns(db)}`)
}

export async function removeDomain(db: Db, id: string): Promise<void> {
  await db`delete from organization_domain where id = ${id}`
}
