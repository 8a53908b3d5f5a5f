/**
 * Text that only this instance can read back: AES-256-GCM with a key made from the instance's secret. The
 * purpose is part of the key, so what is sealed for one thing cannot be passed off as another.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto"
import { randomSalt } from "./ids.ts"

const VERSION = "v1"
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretBox {
  /** `v1.` and base64url of nonce, sealed bytes and tag; never the same twice. */
  seal(text: string): string
  /** Undefined for what was damaged, or sealed with another secret or for another purpose. */
  open(sealed: string): string | undefined
}

export function createSecretBox(secretKey: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `hedgerow ${purpose}`, KEY_BYTES))
  return { seal: (text) => seal(key, text), open: (sealed) => open(key, sealed) }
}

function seal(key: Buffer, text: string): string {
  const nonce = randomSalt(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final()])
  return `${VERSION}.${Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url")}`
}

function open(key: Buffer, sealed: string): string | undefined {
  const [version, text = ""] = sealed.split(".")
  const bytes = Buffer.from(text, "base64url")
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const start = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([start, decipher.final()]).toString("utf8")
  } catch {
    return undefined
  }
}
