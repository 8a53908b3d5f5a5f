/** Whether an invite can be used, and by whom. The order of the checks is part of the API. */
import { invalid } from "../../lib/errors.ts"

export interface UsableInvite {
  readonly target_email: string
  readonly is_expired: boolean
}

/** `addresses` are those the claimant goes by. */
export function checkUsable(
  invite: UsableInvite,
  addresses: readonly (string | undefined)[],
): void {
  for (const address of addresses) {
    if (address === undefined || isSame(address, invite.target_email)) continue
    const detail = "This invite is meant for another email address than yours."
    throw invalid(detail, null, "invalid_recipient")
  }
  checkNotExpired(invite)
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function checkNotExpired({ is_expired }: UsableInvite): void {
  if (!is_expired) return
  throw invalid("This invite has expired; ask for a new one.", null, "expired")
}

export function accountExists() {
  const detail = "There is an account with this email address; sign in and accept the invite."
  return invalid(detail, null, "account_exists")
}

export function alreadyMember() {
  const detail = "You already are a member of this organization."
  return invalid(detail, null, "user_already_member")
}
