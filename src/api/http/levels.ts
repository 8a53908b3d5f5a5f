/** What a member may do in an organization: each level includes the ones below. */
export const LEVEL = { member: 1, admin: 8, owner: 15 } as const
export type LevelName = keyof typeof LEVEL
