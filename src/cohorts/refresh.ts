/** Keeps cohorts up to date, those that waited longest first. */
import { elapsedMs } from "../lib/clock.ts"
import { CALCULATION_TIMEOUT_MS, type CalculationTools, calculate } from "./calculate.ts"
import { inOrder } from "./dependencies.ts"
import { listDue, listStaticCohorts } from "./store.ts"

/** What is left when it is over is first the next time. */
const RUN_MAX_MS = 12 * 60_000

/** Answers how many were worked out. */
export async function refreshCohorts(tools: CalculationTools): Promise<number> {
  const startMs = elapsedMs()
  const due = inOrder(await listDue(tools.database.db, tools.clock.now()))
  let count = 0
  for (const { id } of due) {
    const leftMs = RUN_MAX_MS - (elapsedMs() - startMs)
    if (leftMs <= 0) break
    const timeoutMs = Math.min(CALCULATION_TIMEOUT_MS, leftMs)
    await calculate(tools, id, { timeoutMs, isBrief: false })
    count += 1
  }
  return count
}

/** The columnar copies of all static cohorts, anew. */
export async function copyStaticCohorts(tools: CalculationTools): Promise<number> {
  const cohorts = await listStaticCohorts(tools.database.db)
  for (const { id } of cohorts) {
    await calculate(tools, id, { timeoutMs: CALCULATION_TIMEOUT_MS, isBrief: false })
  }
  return cohorts.length
}
