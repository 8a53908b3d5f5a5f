/** Whoever writes a cohort expects to read it: it is worked out before the answer goes out, if that is quick. */
import { setTimeout as sleep } from "node:timers/promises"
import { type CalculationTools, calculateAround } from "../../cohorts/calculate.ts"
import type { Db } from "../../relational/db.ts"
import type { Services } from "../http/services.ts"

/** What takes longer is done in the background. */
const SETTLE_TIMEOUT_MS = 8_000

/** In the transaction of the write, so that a crash loses nothing. */
export function enqueueCalculation({ jobs }: Services, db: Db, cohortId: number): Promise<void> {
  return jobs.enqueue(db, "calculate-cohort", { cohort_id: cohortId })
}

/** The write stands, whatever happens here: the job is still there. */
export async function settleCohort(
  services: Services,
  { id }: { readonly id: number },
): Promise<void> {
  const patience = { timeoutMs: SETTLE_TIMEOUT_MS, isBrief: true }
  const inTime = new AbortController()
  // Waiting for a place among other queries takes time that no query knows of.
  const late = sleep(SETTLE_TIMEOUT_MS, undefined, { signal: inTime.signal }).catch(() => {})
  const settled = calculateAround(toolsOf(services), id, patience).catch(() => {})
  await Promise.race([settled, late])
  inTime.abort()
}

function toolsOf({ database, columnar, clock }: Services): CalculationTools {
  return { database, columnar, clock }
}
