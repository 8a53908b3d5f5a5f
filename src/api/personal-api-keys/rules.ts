/** No key gives more than its maker has. */
import type { CallerKey } from "../http/caller.ts"

export type Limits = Pick<CallerKey, "scoped_teams" | "scoped_organizations">

export type LimitsDraft = { readonly [K in keyof Limits]?: Limits[K] | undefined }

export const NO_LIMITS: Limits = { scoped_teams: [], scoped_organizations: [] }

export function mergedLimits(current: Limits, draft: LimitsDraft): Limits {
  const { scoped_teams, scoped_organizations } = current
  return {
    scoped_teams: draft.scoped_teams ?? scoped_teams,
    scoped_organizations: draft.scoped_organizations ?? scoped_organizations,
  }
}

/** The limit in which `wanted` reaches further than `maker`. A session (null) has no limits. */
export function findExcess(maker: Limits | null, wanted: Limits): keyof Limits | undefined {
  if (maker === null) return undefined
  if (!isInside(wanted.scoped_organizations, maker.scoped_organizations)) {
    return "scoped_organizations"
  }
  return isInside(wanted.scoped_teams, maker.scoped_teams) ? undefined : "scoped_teams"
}

/** An empty list is no limit at all, so it fits only into another empty one. */
function isInside<T>(inner: readonly T[], outer: readonly T[]): boolean {
  if (outer.length === 0) return true
  return inner.length > 0 && inner.every((id) => outer.includes(id))
}
