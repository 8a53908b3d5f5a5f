/** Every insight, one line each. */
import { lifecycle } from "./lifecycle/lifecycle.ts"

export const INSIGHTS = [lifecycle] as const
