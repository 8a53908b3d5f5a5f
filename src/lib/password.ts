/**
 * Passwords, kept as scrypt hashes that carry their own parameters: `scrypt$N$r$p$salt$hash`. Each hash is slow
 * on purpose, so the number at work and in wait is bounded, and a flood of logins cannot take the machine.
 */
import { scrypt, timingSafeEqual } from "node:crypto"
import { invalid } from "./errors.ts"
import { Gate } from "./gate.ts"
import { GUESSABLE_PASSWORDS } from "./guessable-passwords.ts"
import { randomSalt } from "./ids.ts"

const MIN_PASSWORD_CHARS = 8
const MAX_PASSWORD_CHARS = 128

/** N, r, p: 16 MiB and about a third of a second; OWASP counts it equal to N = 2^17 with p = 1 (128 MiB). */
const COST = { N: 2 ** 14, r: 8, p: 5 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Hashes of another cost are verified up to these bounds. */
const MAX_MEMORY_BYTES = 160 * 1024 * 1024
const MAX_PARALLELISM = 16

const MAX_RUNNING = 2
const MAX_WAITING = 64

interface Stored {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number }
  readonly salt: Buffer
  readonly hash: Buffer
}

export async function hashPassword(text: string): Promise<string> {
  const salt = randomSalt(SALT_BYTES)
  const hash = await derive(text, { cost: COST, salt })
  const { N, r, p } = COST
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$")
}

/** An account whose stored text is no hash (it signs in another way) takes as long as a wrong password. */
export async function isPassword(text: string, stored: string): Promise<boolean> {
  const parsed = parseStored(stored)
  if (parsed === undefined) return verifyNothing(text)
  if (text.length > MAX_PASSWORD_CHARS) return false
  return timingSafeEqual(await derive(text, parsed), parsed.hash)
}

/** For an unknown user: the work of a check, so that the time of the answer does not tell who exists. */
export async function verifyNothing(text: string): Promise<false> {
  if (text.length <= MAX_PASSWORD_CHARS) await derive(text, NOBODY)
  return false
}

const NOBODY = { cost: COST, salt: Buffer.alloc(SALT_BYTES) }

/** Throws what is wrong with a new password. */
export function checkPasswordStrength(text: string): void {
  const length = Array.from(text).length
  if (length < MIN_PASSWORD_CHARS) {
    const detail = `The password has ${length} characters; use at least ${MIN_PASSWORD_CHARS}.`
    throw invalid(detail, "password", "password_too_short")
  }
  if (text.length > MAX_PASSWORD_CHARS) {
    const detail = `The password is too long; use at most ${MAX_PASSWORD_CHARS} characters.`
    throw invalid(detail, "password", "password_too_long")
  }
  const isOneCharacter = new Set(text).size === 1
  if (isOneCharacter || GUESSABLE_PASSWORDS.has(text.toLowerCase())) {
    const detail = "The password is among the first that anybody would guess; use a rarer one."
    throw invalid(detail, "password", "password_too_common")
  }
}

const STORED = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

function parseStored(stored: string): Stored | undefined {
  const match = STORED.exec(stored)
  if (!match) return undefined
  const [N = 0, r = 0, p = 0] = match.slice(1, 4).map(Number)
  const isPowerOfTwo = N > 1 && (N & (N - 1)) === 0
  const isBounded = memoryBytes({ N, r }) <= MAX_MEMORY_BYTES && p <= MAX_PARALLELISM
  if (!isPowerOfTwo || r < 1 || p < 1 || !isBounded) return undefined
  return {
    cost: { N, r, p },
    salt: Buffer.from(match[4] ?? "", "base64url"),
    hash: Buffer.from(match[5] ?? "", "base64url"),
  }
}

function memoryBytes({ N, r }: { readonly N: number; readonly r: number }): number {
  return 128 * N * r
}

/** The same password typed on another keyboard may be other code points: NFKC makes them one. */
async function derive(text: string, { cost, salt }: Omit<Stored, "hash">): Promise<Buffer> {
  // Node counts some overhead beside the memory itself.
  const options = { ...cost, maxmem: 2 * MAX_MEMORY_BYTES }
  return gate.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(text.normalize("NFKC"), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        )
      }),
  )
}

const gate = new Gate({ what: "password checks", maxRunning: MAX_RUNNING, maxWaiting: MAX_WAITING })
