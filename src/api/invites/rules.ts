import { forbidden } from "../../lib/errors.ts"
import { LEVEL } from "../http/levels.ts"
import { mergeAccess, type ProjectAccess } from "./project-access.ts"
import type { InviteDraft } from "./schema.ts"

export function checkInviteLevel(level: number, inviterLevel: number): void {
  if (level <= inviterLevel) return
  throw forbidden(`You cannot invite at level ${level}; your own is ${inviterLevel}.`)
}

/** What an invite gives to whoever uses it. */
export interface Offer {
  readonly level: number
  readonly private_project_access: readonly ProjectAccess[] | null
}

/** An absent list is an empty one; an empty list is none. */
export function offerOf({ level, private_project_access }: InviteDraft): Offer {
  return {
    level: level ?? LEVEL.member,
    private_project_access: private_project_access === undefined ? [] : private_project_access,
  }
}

/** The better of two offers in every respect. */
export function combineOffers(one: Offer, other: Offer): Offer {
  return {
    level: Math.max(one.level, other.level),
    private_project_access: mergeAccess(
      one.private_project_access ?? [],
      other.private_project_access ?? [],
    ),
  }
}
