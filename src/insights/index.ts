/** Every insight, one line each. */
import { funnelCorrelation } from "./funnel-correlation/funnel-correlation.ts"
import { funnels } from "./funnels/funnels.ts"
import { lifecycle } from "./lifecycle/lifecycle.ts"
import { paths } from "./paths/paths.ts"
import { retention } from "./retention/retention.ts"
import { stickiness } from "./stickiness/stickiness.ts"
import { trends } from "./trends/trends.ts"

export const INSIGHTS = [
  lifecycle,
  trends,
  stickiness,
  retention,
  funnels,
  paths,
  funnelCorrelation,
] as const
