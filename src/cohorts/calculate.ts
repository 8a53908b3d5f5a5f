/** Works out who is in a cohort, and puts the members where queries find them. */
import { setTimeout as sleep } from "node:timers/promises"
import type { ColumnarEngine, QueryLimits } from "../columnar/engine.ts"
import { type Clock, elapsedMs } from "../lib/clock.ts"
import { DomainError } from "../lib/errors.ts"
import type { Database } from "../relational/db.ts"
import { around } from "./dependencies.ts"
import { addMembers, listMemberUuids, listRemovedSince } from "./members.ts"
import { listQueryMembers } from "./query-members.ts"
import { cohortQuery } from "./question.ts"
import {
  type ClaimedCohort,
  type CohortState,
  claimCohort,
  failCohort,
  findState,
  finishCohort,
  listStatesBeside,
  releaseCohort,
} from "./store.ts"

export interface CalculationTools {
  readonly database: Database
  readonly columnar: Pick<
    ColumnarEngine,
    "rows" | "replaceCohortMembers" | "changeCohortMembers" | "removeCohort"
  >
  readonly clock: Clock
  /** Told of what goes wrong. */
  readonly onFailure?: (error: unknown, cohortId: number) => void
}

export interface Patience {
  readonly timeoutMs: number
  /** When the time is over, leaves the cohort to somebody with more of it, instead of counting a failure. */
  readonly isBrief: boolean
}

/** One calculation must end well before its claim does. */
export const CALCULATION_TIMEOUT_MS = 5 * 60_000
const ROUNDS_MAX = 20
const LOOK_AGAIN_MS = 25
/** Clocks of nodes differ. */
const CLOCK_SLACK_MS = 5 * 60_000

/** The cohort, what it is made of, and what is made of it, as far as they are not up to date. */
export async function calculateAround(
  tools: CalculationTools,
  cohortId: number,
  patience: Patience,
): Promise<void> {
  const { db } = tools.database
  const startMs = elapsedMs()
  const states = await listStatesBeside(db, cohortId)
  for (const { id } of around(cohortId, states)) {
    const timeoutMs = patience.timeoutMs - (elapsedMs() - startMs)
    if (timeoutMs <= 0) return
    const state = await findState(db, id)
    if (state === undefined) continue
    if (!state.deleted) {
      if (await isStale(tools, state)) await calculate(tools, id, { ...patience, timeoutMs })
    } else if (id === cohortId) {
      await tools.columnar.removeCohort({ project_id: state.project_id, cohort_id: id })
    }
  }
}

async function isStale({ database }: CalculationTools, state: CohortState): Promise<boolean> {
  if (state.version !== state.pending_version || state.last_calculation === null) return true
  for (const id of state.depends_on) {
    const needed = await findState(database.db, id)
    const neededAt = needed?.last_calculation ?? ""
    // At the same moment too: it may have been a moment later.
    if (neededAt >= state.last_calculation) return true
  }
  return false
}

/** Until it is as it should be, or the time is over. */
export async function calculate(
  tools: CalculationTools,
  cohortId: number,
  patience: Patience,
): Promise<void> {
  const startMs = elapsedMs()
  for (let round = 1; round <= ROUNDS_MAX; ) {
    const timeoutMs = patience.timeoutMs - (elapsedMs() - startMs)
    if (timeoutMs <= 0) return
    const claimed = await claimCohort(tools.database.db, cohortId, tools.clock.now())
    if (claimed !== undefined) {
      const isDone = await calculateClaimed(tools, claimed, { ...patience, timeoutMs })
      if (isDone) return
      round++
    } else if (await isElsewhereDone(tools, cohortId)) return
    else await sleep(LOOK_AGAIN_MS)
  }
}

/** Somebody else has it: what they make of it is as good. */
async function isElsewhereDone({ database }: CalculationTools, id: number): Promise<boolean> {
  const state = await findState(database.db, id)
  if (state === undefined || state.deleted) return true
  return state.version === state.pending_version
}

/** False when the cohort was changed meanwhile. */
async function calculateClaimed(
  tools: CalculationTools,
  claimed: ClaimedCohort,
  { timeoutMs, isBrief }: Patience,
): Promise<boolean> {
  const { db } = tools.database
  const key = { project_id: claimed.project_id, cohort_id: claimed.id }
  try {
    const count = await fill(tools, claimed, { timeoutMs })
    const outcome = await finishCohort(db, claimed, { count, now: tools.clock.now() })
    if (outcome === "deleted") await tools.columnar.removeCohort(key)
    return outcome !== "changed"
  } catch (error) {
    if (isBrief && isLate(error)) {
      await releaseCohort(db, claimed)
    } else {
      tools.onFailure?.(error, claimed.id)
      await failCohort(db, claimed)
    }
    return true
  }
}

function isLate(error: unknown): boolean {
  return error instanceof DomainError && error.kind === "unavailable"
}

function fill(tools: CalculationTools, cohort: ClaimedCohort, limits: QueryLimits) {
  return cohort.is_static ? fillStatic(tools, cohort, limits) : fillDynamic(tools, cohort, limits)
}

async function fillDynamic(
  { database, columnar, clock }: CalculationTools,
  { id, project_id, filters }: ClaimedCohort,
  limits: QueryLimits,
): Promise<number> {
  const query = await cohortQuery(database.db, filters, { project_id, now: clock.now() })
  return columnar.replaceCohortMembers({ project_id, cohort_id: id }, query, limits)
}

/** A copy of what PostgreSQL has. Who is deleted between the reading and the writing is taken out again. */
async function fillStatic(
  tools: CalculationTools,
  cohort: ClaimedCohort,
  limits: QueryLimits,
): Promise<number> {
  const { database, columnar, clock } = tools
  const { id, project_id } = cohort
  await askOnce(tools, cohort, limits)
  const since = new Date(clock.now().getTime() - CLOCK_SLACK_MS)
  const uuids = await listMemberUuids(database.db, id)
  const key = { project_id, cohort_id: id }
  const count = await columnar.replaceCohortMembers(key, uuids, limits)
  const remove = await listRemovedSince(database.db, project_id, since)
  return remove.length === 0 ? count : columnar.changeCohortMembers(key, { add: [], remove })
}

/** A query says who is in a static cohort at first; from then on it is a list. */
async function askOnce(tools: CalculationTools, cohort: ClaimedCohort, limits: QueryLimits) {
  const { query, version, project_id } = cohort
  if (query === null || version !== null) return
  const { database, columnar, clock } = tools
  const desk = { db: database.db, columnar, limits, project_id, now: clock.now() }
  const uuids = await listQueryMembers(query, desk)
  await database.transaction((db) => addMembers(db, cohort, { uuids }))
}
