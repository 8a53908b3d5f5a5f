/** The only place that draws randomness. */
import { createHash, hash, randomBytes, randomInt } from "node:crypto"

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

/**
 * UUID version 7 made of a moment, a seed of at least 14 hexadecimal digits and an index: the same three always
 * give the same id, the ids of one seed differ, and the first million of them sort by index.
 */
export function derivedUuid(ms: number, seedHex: string, index: number): string {
  const time = ms.toString(16).padStart(12, "0")
  const high = (0x7000 | ((index >>> 8) & 0xfff)).toString(16)
  const seedBits = Number.parseInt(seedHex.slice(0, 2), 16) & 0x3f
  const low = (0x8000 | ((index & 0xff) << 6) | seedBits).toString(16)
  const mixed = (Number.parseInt(seedHex.slice(6, 14), 16) ^ (index >>> 20)) >>> 0
  const tail = mixed.toString(16).padStart(8, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${seedHex.slice(2, 6)}${tail}`
}

/** UUID version 5: the same name in the same namespace always gives the same id. */
export function uuidV5(namespace: string, name: string): string {
  const nameBytes = Buffer.byteLength(name)
  const bytes = Buffer.allocUnsafe(16 + nameBytes)
  bytes.write(namespace.replaceAll("-", ""), 0, 16, "hex")
  bytes.write(name, 16, nameBytes, "utf8")
  const hex = hash("sha1", bytes, "hex")
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
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
