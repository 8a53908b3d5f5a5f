import { parseCertificate } from "../../domains/certificate.ts"
import { invalid } from "../../lib/errors.ts"
import type { Domain, DomainUpdate } from "./schema.ts"

/** How people sign in may only be decided by whoever has proven to own the domain, in this order. */
const PROTECTED_FIELDS = ["jit_provisioning_enabled", "sso_enforcement"] as const

export function checkProtectedFields(changes: Partial<DomainUpdate>, domain: Domain): void {
  if (domain.is_verified) return
  for (const field of PROTECTED_FIELDS) {
    if (changes[field] === undefined) continue
    const detail = `${field} can only be set once ${domain.domain} is verified.`
    throw invalid(detail, field, "verification_required")
  }
}

/** Another host is another proof: a renamed domain starts over, and so does what needed the proof. */
export function unprovenBy({ domain }: Partial<DomainUpdate>, before: Domain) {
  if (domain === undefined || domain === before.domain) return {}
  return { verified_at: null, jit_provisioning_enabled: false, sso_enforcement: "" }
}

export function checkNotVerified({ domain, is_verified }: Domain): void {
  if (is_verified) throw invalid(`${domain} is already verified.`, null, "already_verified")
}

/** The certificate as clean PEM; empty text and null stay, they mean that there is none. */
export function withCleanCertificate<T extends { saml_x509_cert?: string | null | undefined }>(
  draft: T,
): T {
  const { saml_x509_cert: text } = draft
  if (text === undefined || text === null) return draft
  return { ...draft, saml_x509_cert: text.trim() === "" ? "" : parseCertificate(text) }
}
