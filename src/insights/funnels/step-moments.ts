/** When actors took the steps of a funnel, for what looks at the events around them. */
import { invalid } from "../../lib/errors.ts"
import type { Select } from "../../query/tree.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, readFunnel } from "./funnel.ts"
import type { FunnelsQuery } from "./question.ts"

export interface StepMoments {
  readonly funnel: Funnel
  /** A row for each actor: `actor_id`, `steps` (how many were taken) and `step_0` and on (null if not taken). */
  readonly query: Select
}

/** Of the best attempt of each actor who began. */
export function* findStepMoments(asked: FunnelsQuery, context: InsightContext): Plan<StepMoments> {
  const funnel: Funnel = { ...(yield* readFunnel(asked, context)), breakdown: undefined }
  if (funnel.steps.length === 0) throw invalid("A funnel without steps has no actors.", "series")
  return { funnel, query: bestAttempts(funnel, { withMoments: true }) }
}
