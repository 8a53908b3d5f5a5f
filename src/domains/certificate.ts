/** The signing certificate of a SAML identity provider, as administrators paste it. */
import { X509Certificate } from "node:crypto"
import { invalid } from "../lib/errors.ts"

const MAX_CERTIFICATE_CHARS = 16 * 1024

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Takes PEM or its bare base64 (as it stands in provider metadata), wrapped anyhow, and returns clean PEM with
 * nothing around it. Dates are not judged: providers rarely renew this certificate, and users trust the key.
 * An empty text means "no certificate" to the API and is for the caller to handle.
 */
export function parseCertificate(text: string): string {
  if (text.length > MAX_CERTIFICATE_CHARS) {
    throw wrong(`is longer than ${MAX_CERTIFICATE_CHARS} characters`)
  }
  const blocks = Array.from(text.matchAll(PEM_BLOCK), ([, body]) => body ?? "")
  if (blocks.length > 1)
    throw wrong(`holds ${blocks.length} certificates; give the signing one alone`)
  const base64 = (blocks[0] ?? text).replace(/\s+/g, "")
  if (!BASE64.test(base64)) throw wrong("is neither PEM nor base64")
  return printPem(parseDer(Buffer.from(base64, "base64")))
}

function parseDer(bytes: Buffer): Buffer {
  try {
    return new X509Certificate(bytes).raw
  } catch {
    throw wrong("is not an X.509 certificate")
  }
}

function printPem(der: Buffer): string {
  const lines = der.toString("base64").replace(/.{1,64}/g, "$&\n")
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}

function wrong(problem: string) {
  return invalid(`The SAML certificate ${problem}.`, "saml_x509_cert")
}
