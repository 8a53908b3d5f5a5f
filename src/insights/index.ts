/** Every insight, one line each. */
import { funnels } from "./funnels/funnels.ts"
import { lifecycle } from "./lifecycle/lifecycle.ts"
import { retention } from "./retention/retention.ts"
import { stickiness } from "./stickiness/stickiness.ts"
import { trends } from "./trends/trends.ts"

export const INSIGHTS = [lifecycle, trends, stickiness, retention, funnels] as const
