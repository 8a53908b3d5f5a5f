/**
 * Who may call an endpoint, as data beside it, and the one place that decides. The order of the checks is
 * part of the API: scope of the key, limits of the key, the place exists, membership, level.
 */
import { forbidden, notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import type { Caller, OrganizationPlace, PlaceName, ProjectPlace, Sighting } from "./caller.ts"
import { LEVEL, type LevelName } from "./levels.ts"
import { type ALL_SCOPES, includesScope, type Scope } from "./scopes.ts"

export interface Anyone {
  readonly kind: "anyone"
}

export interface SignedIn {
  readonly kind: "signed_in"
  /** Which limited keys may come: all, only those limited to organizations, or none. */
  readonly limitedKeys: "all" | "organization" | "none"
}

export interface InOrganization {
  readonly kind: "organization"
  readonly param: string
  readonly level: LevelName
  /** What somebody else's organization looks like: nested resources admit that it exists. */
  readonly foreign: "forbidden" | "not_found"
}

export interface InProject {
  readonly kind: "project"
  readonly param: string
  readonly level: LevelName
  readonly foreign: "forbidden" | "not_found"
}

export type Access = Anyone | SignedIn | InOrganization | InProject

export const anyone: Anyone = { kind: "anyone" }

export function signedIn(limitedKeys: SignedIn["limitedKeys"] = "organization"): SignedIn {
  return { kind: "signed_in", limitedKeys }
}

/** For `/api/organizations/:organization_id/…`. */
export function inOrganization(level: LevelName = "member"): InOrganization {
  return { kind: "organization", param: "organization_id", level, foreign: "forbidden" }
}

/** For `/api/organizations/:id` itself. */
export function theOrganization(level: LevelName = "member"): InOrganization {
  return { kind: "organization", param: "id", level, foreign: "not_found" }
}

/** For `/api/projects/:project_id/…`. */
export function inProject(level: LevelName = "member"): InProject {
  return { kind: "project", param: "project_id", level, foreign: "forbidden" }
}

/** For `/api/projects/:id` itself. */
export function theProject(level: LevelName = "member"): InProject {
  return { kind: "project", param: "id", level, foreign: "not_found" }
}

/** `*`: only a session or a key that may do everything; null: any valid key. */
export type NeededScope = Scope | readonly Scope[] | typeof ALL_SCOPES | null

const MAX_INTEGER = 2_147_483_647

/** The place the path names; undefined when the access names none; not found when it cannot be an id. */
export function placeIn(
  access: Access,
  params: Readonly<Record<string, string>>,
): PlaceName | undefined {
  if (access.kind !== "organization" && access.kind !== "project") return undefined
  const name = params[access.param] ?? ""
  return { kind: access.kind, name: canBeId(access.kind, name) ? name : MISSING[access.kind] }
}

/** Ids that no row has, so that junk takes the same path (and order of checks) as an unknown id. */
const MISSING = { organization: "00000000-0000-0000-0000-000000000000", project: "0" }

function canBeId(kind: PlaceName["kind"], name: string): boolean {
  if (name === "@current") return true
  return kind === "organization"
    ? isUuid(name)
    : /^\d{1,10}$/.test(name) && Number(name) <= MAX_INTEGER
}

export function checkScope(caller: Caller, scope: NeededScope): void {
  if (caller.key === null || scope === null) return
  for (const needed of typeof scope === "string" ? [scope] : scope) {
    if (!includesScope(caller.key.scopes, needed)) {
      throw forbidden(`API key missing required scope '${needed}'`)
    }
  }
}

export interface Place {
  readonly organization: OrganizationPlace | null
  readonly project: ProjectPlace | null
}

export function checkAccess(access: Access, sighting: Sighting): Place {
  const none: Place = { organization: null, project: null }
  switch (access.kind) {
    case "anyone":
      return none
    case "signed_in":
      checkLimitedKey(access, sighting.caller)
      return none
    case "organization":
      return checkOrganization(access, sighting)
    case "project":
      return checkProject(access, sighting)
  }
}

function checkLimitedKey({ limitedKeys }: SignedIn, { key }: Caller): void {
  if (key === null || limitedKeys === "all") return
  if (key.scoped_teams.length > 0) throw forbidden(ONLY_PROJECTS)
  if (limitedKeys === "none" && key.scoped_organizations.length > 0) {
    throw forbidden("API keys limited to organizations cannot do this.")
  }
}

const ONLY_PROJECTS = "API keys limited to projects only work on project endpoints."

function checkOrganization(access: InOrganization, { caller, organization }: Sighting): Place {
  const { key } = caller
  if (key !== null && key.scoped_teams.length > 0) throw forbidden(ONLY_PROJECTS)
  if (organization === null) throw notFound("Organization not found.")
  if (key !== null && !isInLimits(key.scoped_organizations, organization.id)) {
    throw forbidden(
      `API key does not have access to the requested organization: ${organization.id}.`,
    )
  }
  if (organization.level === null) throw foreignError(access.foreign, "organization")
  checkLevel(organization.level, access.level)
  return { organization, project: null }
}

function checkProject(access: InProject, { caller, organization, project }: Sighting): Place {
  const { key } = caller
  if (project === null || organization === null) throw notFound("Project not found.")
  if (key !== null) {
    const isAllowed =
      isInLimits(key.scoped_teams, project.id) &&
      isInLimits(key.scoped_organizations, organization.id)
    if (!isAllowed) {
      throw forbidden(`API key does not have access to the requested project: ${project.id}.`)
    }
  }
  if (organization.level === null || project.is_hidden)
    throw foreignError(access.foreign, "project")
  checkLevel(project.level, access.level)
  return { organization, project }
}

function isInLimits<T>(limits: readonly T[], id: T): boolean {
  return limits.length === 0 || limits.includes(id)
}

function foreignError(foreign: "forbidden" | "not_found", what: string) {
  return foreign === "not_found" ? notFound() : forbidden(`You don't have access to the ${what}.`)
}

function checkLevel(level: number, needed: LevelName): void {
  if (level >= LEVEL[needed]) return
  throw forbidden(`Your access level is insufficient; this needs ${needed} access.`)
}
