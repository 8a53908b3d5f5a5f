/**
 * What an organization may do with plugins depends on its access level. Who of it is asking matters only where
 * others are touched: a global plugin is in the lists of every organization.
 */
import { forbidden } from "../lib/errors.ts"

const ADMIN_LEVEL = 8
const LEVEL = { configure: 3, install: 6, "make global": 9 } as const

export interface PluginOwner {
  readonly id: string
  readonly plugins_access_level: number
  /** Of the caller. */
  readonly level: number
}

export function checkMay(what: keyof typeof LEVEL, organization: PluginOwner): void {
  const { plugins_access_level: level } = organization
  if (what === "make global" && organization.level < ADMIN_LEVEL) {
    throw forbidden("Only administrators and owners may make plugins global.")
  }
  if (level >= LEVEL[what]) return
  throw forbidden(
    `This organization may not ${what} plugins: its plugin access level is ${level}, needed is ${LEVEL[what]}.`,
  )
}
