/**
 * The one way to try a password against an account, so that guesses are limited however they come: by
 * signing in or by changing the password.
 */
import { isPassword, verifyNothing } from "../../lib/password.ts"
import { ACCOUNT_WINDOWS, RateLimiter, SIGN_IN_WINDOWS } from "./rate-limit.ts"

/** A longer text fits no account; refused before it is counted, so that counts cannot be flooded for free. */
export const GUESS_LENGTH_MAX = 128

/** By account and address, so that a stranger who fails on purpose does not lock the owner out. */
const guessesFrom = new RateLimiter(SIGN_IN_WINDOWS)
/** By account alone, for those who have many addresses. */
const guessesAt = new RateLimiter(ACCOUNT_WINDOWS)

export interface PasswordGuess {
  /** The account, or the e-mail when there is none: both are limited alike. */
  readonly account: number | string
  readonly ip: string
  readonly password: string
  /** Null when nobody has the e-mail, or the account has no password. */
  readonly storedHash: string | null
  readonly now: Date
}

/** Counts before it looks: guesses made all at once must not slip by. A right one starts the count over. */
export async function isRightPassword(guess: PasswordGuess): Promise<boolean> {
  const { account, ip, password, storedHash, now } = guess
  const from = `${account} from ${ip}`
  guessesFrom.count(from, now)
  guessesAt.count(`${account}`, now)
  const isRight =
    storedHash === null ? await verifyNothing(password) : await isPassword(password, storedHash)
  if (isRight) {
    guessesFrom.forget(from)
    guessesAt.forget(`${account}`)
  }
  return isRight
}
