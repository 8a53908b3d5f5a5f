/** Who may change whom. The order of the checks is part of the API. */
import { forbidden } from "../../lib/errors.ts"
import { LEVEL } from "../http/levels.ts"

export interface Standing {
  readonly userId: number
  readonly level: number
}

/** May the actor touch the target's membership at all? Asked before what is to be done with it. */
export function checkMayTouch(actor: Standing, target: Standing): void {
  if (actor.userId !== target.userId && actor.level < LEVEL.admin) {
    throw forbidden("Only administrators and owners can change or remove other members.")
  }
  if (target.level > actor.level) {
    throw forbidden("You can change or remove only members whose level is not above your own.")
  }
}

export function checkNewLevel(actor: Standing, target: Standing, level: number): void {
  if (actor.userId === target.userId) {
    throw forbidden("You cannot change your own level; another member has to do it.")
  }
  if (level === LEVEL.owner && actor.level !== LEVEL.owner) {
    throw forbidden("Only an owner can make somebody an owner.")
  }
  if (level > actor.level) {
    throw forbidden(`You can give levels up to your own, ${actor.level}; ${level} is above it.`)
  }
}
