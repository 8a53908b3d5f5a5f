import { z } from "zod"
import { isHostName } from "../../domains/host-name.ts"
import { anyText, isHttpUrl, text, timestamp } from "../http/fields.ts"

const DOMAIN_MAX = 128
const SSO_ENFORCEMENT_MAX = 28
const SAML_TEXT_MAX = 512

export const Domain = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    is_verified: z.boolean(),
    verified_at: timestamp.nullable(),
    verification_challenge: z.string(),
    jit_provisioning_enabled: z.boolean(),
    sso_enforcement: z.string(),
    has_saml: z.boolean(),
    saml_entity_id: z.string().nullable(),
    saml_acs_url: z.string().nullable(),
    saml_x509_cert: z.string().nullable(),
  })
  .meta({ id: "Domain" })
export type Domain = z.infer<typeof Domain>

const hostName = text(DOMAIN_MAX).refine(isHostName, {
  error: ({ input }) =>
    `${JSON.stringify(input)} is not a domain; use a lower-case name such as example.com.`,
})

const acsUrl = anyText(SAML_TEXT_MAX).refine((url) => url === "" || isHttpUrl(url), {
  error: ({ input }) =>
    `${JSON.stringify(input)} is not an address; use one such as https://example.com/saml.`,
})

/** Empty text and null both clear a field. */
const saml = {
  saml_entity_id: anyText(SAML_TEXT_MAX).nullable().optional(),
  saml_acs_url: acsUrl.nullable().optional(),
  saml_x509_cert: z.string().nullable().optional(),
}

/** What needs proof of the domain is not here: a new domain has none. */
export const DomainDraft = z.object({ domain: hostName, ...saml })
export type DomainDraft = z.infer<typeof DomainDraft>

export const DomainUpdate = z.object({
  domain: hostName,
  jit_provisioning_enabled: z.boolean().optional(),
  sso_enforcement: anyText(SSO_ENFORCEMENT_MAX).optional(),
  ...saml,
})
export type DomainUpdate = z.infer<typeof DomainUpdate>
