/** What an invite grants on projects: reading it, merging it, and who may give it. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { LEVEL } from "../http/levels.ts"

const PROJECT_ID_MAX = 2_147_483_647
const ENTRIES_MAX = 1_000

export const ProjectAccess = z
  .object({ id: z.int(), level: z.literal([LEVEL.member, LEVEL.admin]) })
  .meta({ id: "ProjectAccess" })
export type ProjectAccess = z.infer<typeof ProjectAccess>

/** Levels may be written as words; they are kept as numbers. */
export const ProjectAccessInput = z
  .array(
    z.object({
      id: z.int().min(1).max(PROJECT_ID_MAX),
      level: z.union([z.literal([LEVEL.member, LEVEL.admin]), z.enum(["member", "admin"])]),
    }),
  )
  .max(ENTRIES_MAX)
  .nullable()

/** Whatever is wrong inside, the field as a whole is at fault. */
export function parseProjectAccess(value: unknown): ProjectAccess[] | null {
  const parsed = ProjectAccessInput.safeParse(value)
  if (!parsed.success) {
    throw accessError(
      `Expected a list of up to ${ENTRIES_MAX} entries such as {"id": 1, "level": 1}; levels are 1 (member) and 8 (admin).`,
    )
  }
  const entries = parsed.data ?? []
  if (entries.length === 0) return null
  return entries.map(({ id, level }) => ({ id, level: levelOf(level) }))
}

function levelOf(level: 1 | 8 | "member" | "admin"): ProjectAccess["level"] {
  return typeof level === "number" ? level : LEVEL[level]
}

/** Of each project the higher level. */
export function mergeAccess(
  one: readonly ProjectAccess[],
  other: readonly ProjectAccess[],
): ProjectAccess[] {
  const levels = new Map<number, ProjectAccess["level"]>()
  for (const { id, level } of [...one, ...other]) {
    levels.set(id, levels.get(id) === LEVEL.admin ? LEVEL.admin : level)
  }
  return [...levels].map(([id, level]) => ({ id, level }))
}

/** A project of the organization, as far as the inviter's rights on it go. */
export interface GrantableProject {
  readonly id: number
  readonly access_control: boolean
  /** The inviter's own grant. */
  readonly grant_level: number | null
}

/**
 * Administrators of the organization may grant everything. A plain member may let people into a private
 * project only as its administrator, and gives no more than they have themselves.
 */
export function checkMayGrant(
  { id, level }: ProjectAccess,
  inviterLevel: number,
  project: GrantableProject | undefined,
): void {
  if (project !== undefined && inviterLevel >= LEVEL.admin) return
  if (project === undefined || (project.access_control && project.grant_level === null)) {
    throw accessError(`Project ${id} is not in this organization, or you have no access to it.`)
  }
  const own = project.grant_level ?? 0
  if (project.access_control && own < LEVEL.admin) {
    throw accessError(`Only administrators of the private project ${id} can let people into it.`)
  }
  if (level > Math.max(own, inviterLevel)) {
    throw accessError(`Your own level on project ${id} is below ${level}, so you cannot give it.`)
  }
}

function accessError(detail: string) {
  return invalid(detail, "private_project_access")
}
