import { forbidden } from "../../lib/errors.ts"
import type { CallerKey } from "../http/caller.ts"
import { LEVEL } from "../http/levels.ts"
import type { ProjectDraft } from "./schema.ts"

interface Member {
  readonly level: number
}

export function checkOrganizationAdmin({ level }: Member, what: string): void {
  if (level >= LEVEL.admin) return
  throw forbidden(`Only administrators of the organization may ${what}.`)
}

/** Members change the settings of a project, but not who may see it. */
export function checkMayChange(
  member: Member,
  before: { access_control: boolean },
  changes: Partial<ProjectDraft>,
): void {
  const { access_control = before.access_control } = changes
  if (access_control === before.access_control) return
  checkOrganizationAdmin(member, "change access_control")
}

export function checkKeyReaches(key: CallerKey | null, organizationId: string): void {
  const limits = key?.scoped_organizations ?? []
  if (limits.length === 0 || limits.includes(organizationId)) return
  throw forbidden(`API key does not have access to the requested organization: ${organizationId}.`)
}
