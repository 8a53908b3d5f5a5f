/** A new password or e-mail takes over an account, so the current password must come with it. */
import { invalid } from "../../lib/errors.ts"
import { checkPasswordStrength, hashPassword } from "../../lib/password.ts"
import type { Db } from "../../relational/db.ts"
import type { Caller } from "../http/caller.ts"
import { isRightPassword } from "../http/password-guess.ts"
import { isEmailNew } from "./rules.ts"
import type { MeDraft } from "./schema.ts"
import { type Account, findPasswordHash } from "./store.ts"

export interface PasswordProof {
  /** What the current password was checked against. */
  readonly checkedHash: string | null
  readonly newHash: string | undefined
}

/** Undefined when the draft needs none. Slow: a password is hashed on purpose. */
export async function provePassword(
  db: Db,
  { user }: Caller,
  { draft, now, ip }: { draft: MeDraft; now: Date; ip: string },
): Promise<PasswordProof | undefined> {
  const { password, current_password: current } = draft
  if (password === undefined && !isEmailNew(draft, user.email)) return undefined
  if (current === undefined) {
    const detail = "A new password or e-mail needs the current password."
    throw invalid(detail, "current_password", "required")
  }
  if (password !== undefined) checkPasswordStrength(password)
  const checkedHash = await findPasswordHash(db, user.id)
  const guess = { account: user.id, ip, password: current, storedHash: checkedHash, now }
  if (!(await isRightPassword(guess))) throw wrongPassword()
  return { checkedHash, newHash: password === undefined ? undefined : await hashPassword(password) }
}

/** The account may have changed while the proof was being checked: it must still be one for this change. */
export function checkProof(
  proof: PasswordProof | undefined,
  draft: MeDraft,
  account: Account,
): void {
  const isGood =
    proof === undefined
      ? !isEmailNew(draft, account.email)
      : proof.checkedHash === account.password_hash
  if (!isGood) throw wrongPassword()
}

function wrongPassword() {
  return invalid("The current password is wrong.", "current_password", "incorrect_password")
}
