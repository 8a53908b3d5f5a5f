import type { CallerKey } from "../http/caller.ts"
import type { Me, MeDraft } from "./schema.ts"
import type { OwnProject, UserChanges } from "./store.ts"

/** What is stored as it comes. A new address is not a verified one. */
export function settingsIn(draft: MeDraft, email: string): UserChanges {
  const {
    current_password: _proof,
    password: _password,
    set_current_organization: _organization,
    set_current_team: _project,
    ...settings
  } = draft
  return isEmailNew(draft, email) ? { ...settings, is_email_verified: null } : settings
}

export function isEmailNew(draft: MeDraft, email: string): boolean {
  return draft.email !== undefined && draft.email !== email
}

/**
 * What a limited key may know of its user's places: those it is limited to. `projects` are those of the key's projects that the user
 * can see.
 */
export function seenByKey(me: Me, key: CallerKey, projects: readonly OwnProject[]): Me {
  const isLimitedToProjects = key.scoped_teams.length > 0
  const isOpen = (organizationId: string) =>
    (key.scoped_organizations.length === 0 || key.scoped_organizations.includes(organizationId)) &&
    (!isLimitedToProjects || projects.some((project) => project.organization_id === organizationId))
  const isOpenProject = (project: Readonly<Record<string, unknown>>) =>
    isOpen(String(project.organization)) &&
    (!isLimitedToProjects || projects.some(({ id }) => id === project.id))
  const { team, organization, organizations } = me
  return {
    ...me,
    team: team !== null && isOpenProject(team) ? team : null,
    organization:
      organization !== null && isOpen(organization.id)
        ? { ...organization, teams: organization.teams.filter(isOpenProject) }
        : null,
    organizations: organizations.filter(({ id }) => isOpen(id)),
  }
}

/** Whether a key (none: a session) may lead its user to a project. */
export function mayEnter(key: CallerKey | null, project: OwnProject): boolean {
  if (key === null) return true
  const { scoped_teams, scoped_organizations } = key
  return (
    (scoped_teams.length === 0 || scoped_teams.includes(project.id)) &&
    (scoped_organizations.length === 0 || scoped_organizations.includes(project.organization_id))
  )
}

/** Keys that are limited to projects do not work on whole organizations, here as elsewhere. */
export function mayEnterOrganization(key: CallerKey | null, organizationId: string): boolean {
  if (key === null) return true
  const { scoped_teams, scoped_organizations } = key
  return (
    scoped_teams.length === 0 &&
    (scoped_organizations.length === 0 || scoped_organizations.includes(organizationId))
  )
}
