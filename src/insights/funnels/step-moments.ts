/** When the actors of a part of a funnel took its steps, for what looks at the events around them. */

import { and } from "../../query/build.ts"
import type { Select } from "../../query/tree.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { type FunnelSelection, hasTaken } from "./actors.ts"
import { bestAttempts } from "./best-attempts.ts"
import { type Funnel, readFunnel, subquery } from "./funnel.ts"
import type { FunnelsQuery } from "./question.ts"
import { columnsOf, namesOf } from "./step-events.ts"

export interface StepMoments {
  readonly funnel: Funnel
  /** A row for each actor: `actor_id`, `steps` (how many were taken) and `step_0` and on (null if not taken). */
  readonly query: Select
}

/** Of the best attempt of each actor; `selected` without a step is everybody who began. */
export function* findStepMoments(
  asked: FunnelsQuery,
  selected: Pick<FunnelSelection, "funnelStep" | "funnelCustomSteps">,
  context: InsightContext,
): Plan<StepMoments> {
  const whole = yield* readFunnel(asked, context)
  const funnel: Funnel = { ...whole, breakdown: undefined }
  const best = bestAttempts(funnel, { withMoments: true })
  const isAll = (selected.funnelStep ?? selected.funnelCustomSteps ?? null) === null
  if (isAll) return { funnel, query: best }
  const query: Select = {
    columns: columnsOf("q", namesOf(best)),
    from: subquery(best, "q"),
    where: and(hasTaken(selected, funnel)),
  }
  return { funnel, query }
}
