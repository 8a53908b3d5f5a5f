/** The only place that draws randomness. */
import { createHash, randomBytes, randomInt } from "node:crypto"

let lastMs = 0
let counter = 0

/**
 * UUID version 7: 48 bits of milliseconds, a 12-bit counter, random bits. Ids made by one process are
 * strictly increasing, so "newest first" may order by id alone.
 */
export function newUuid(): string {
  const ms = Date.now()
  if (ms > lastMs) {
    lastMs = ms
    counter = randomInt(0x800)
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const bytes = drawBytes(16)
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Every request draws an id: asking the system once for many is ten times cheaper. */
function drawBytes(count: number): Buffer {
  if (pool.length < count) pool = randomBytes(POOL_BYTES)
  const drawn = Buffer.from(pool.subarray(0, count))
  pool = pool.subarray(count)
  return drawn
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** Random text in base 62; 43 characters hold 256 bits. */
export function randomToken(length = 43): string {
  return randomLetters(BASE62, length)
}

export function randomLetters(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("")
}

/** URL-safe text of 32 random bytes: 43 characters. */
export function randomUrlSafe(): string {
  return randomBytes(32).toString("base64url")
}

/** Raw bytes, for salts. */
export function randomSalt(sizeBytes: number): Buffer {
  return randomBytes(sizeBytes)
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
