/** What an organization may do with plugins depends on its access level, not on who of it is asking. */
import { forbidden } from "../lib/errors.ts"

const LEVEL = { configure: 3, install: 6, "make global": 9 } as const

export interface PluginOwner {
  readonly id: string
  readonly plugins_access_level: number
}

export function checkMay(what: keyof typeof LEVEL, organization: PluginOwner): void {
  const { plugins_access_level: level } = organization
  if (level >= LEVEL[what]) return
  throw forbidden(
    `This organization may not ${what} plugins: its plugin access level is ${level}, needed is ${LEVEL[what]}.`,
  )
}
