/** Every insight, one line each. */
export const INSIGHTS = [] as const
