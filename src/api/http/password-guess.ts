/**
 * The one way to try a password against an account, so that guesses are limited however they come: by
 * signing in or by changing the password.
 */
import { isPassword, verifyNothing } from "../../lib/password.ts"
import { RateLimiter, SIGN_IN_WINDOWS } from "./rate-limit.ts"

/** A longer text fits no account; refused before it is counted, so that counts cannot be flooded for free. */
export const GUESS_LENGTH_MAX = 128

const guesses = new RateLimiter(SIGN_IN_WINDOWS)

export interface PasswordGuess {
  /** The account, or the address when there is none: both are limited alike. */
  readonly who: string
  readonly password: string
  /** Null when nobody has the address, or the account has no password. */
  readonly storedHash: string | null
  readonly now: Date
}

/** Counts before it looks: guesses made all at once must not slip by. A right one starts the count over. */
export async function isRightPassword(guess: PasswordGuess): Promise<boolean> {
  const { who, password, storedHash, now } = guess
  guesses.count(who, now)
  const isRight =
    storedHash === null ? await verifyNothing(password) : await isPassword(password, storedHash)
  if (isRight) guesses.forget(who)
  return isRight
}

/**
 * The name under which guesses at a user's password are counted: by address too, so that a stranger who fails
 * on purpose does not lock the owner out.
 */
export function guessesAt(user: { readonly id: number }, ip: string): string {
  return `user ${user.id} from ${ip}`
}
