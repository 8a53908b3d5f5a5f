/**
 * How far the members of cohorts are worked out. Whoever works a cohort out claims it first, so that two never
 * do at once; a claim that is too old was left by a crash, and does not count.
 */
import type { JsonObject } from "../lib/json.ts"
import { type Db, first } from "../relational/db.ts"

/** Longer than any calculation may take. */
const CLAIM_MINUTES = 20
/** The schedule comes every 15 minutes, give or take a moment. */
const REFRESH_MINUTES = 14
const STATIC_REFRESH_MINUTES = 24 * 60
const BACKOFF_MINUTES_MAX = 24 * 60
const BACKOFF_DOUBLINGS_MAX = 10
const DUE_MAX = 10_000

/** What a calculation needs to know. */
export interface ClaimedCohort {
  readonly id: number
  readonly project_id: number
  readonly is_static: boolean
  readonly filters: JsonObject | null
  readonly query: JsonObject | null
  /** The one before is still to be answered by queries. */
  readonly version: number | null
  readonly pending_version: number
  readonly claimed_at: string
}

/** Undefined while somebody else has it, and when it is deleted. */
export function claimCohort(db: Db, id: number, now: Date): Promise<ClaimedCohort | undefined> {
  return first(db<ClaimedCohort[]>`
    update cohort c set claimed_at = ${now}, attempted_at = ${now}, is_calculating = true
    where c.id = ${id} and not c.deleted and ${isFree(db, now)}
    returning c.id, c.project_id, c.is_static, c.filters, c.query, c.version, c.pending_version,
              c.claimed_at`)
}

function isFree(db: Db, now: Date) {
  return db`(c.claimed_at is null or c.claimed_at < ${minutesBefore(now, CLAIM_MINUTES)})`
}

function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000)
}

/** What became of the cohort meanwhile: it is as worked out, it was changed, or it is deleted. */
export async function finishCohort(
  db: Db,
  claimed: ClaimedCohort,
  { count, now }: { count: number; now: Date },
): Promise<"current" | "changed" | "deleted"> {
  const row = await first(db<{ deleted: boolean; is_calculating: boolean }[]>`
    update cohort
    set version = ${claimed.pending_version}, count = ${count}, last_calculation = ${now},
        errors_calculating = 0, claimed_at = null,
        is_calculating = pending_version <> ${claimed.pending_version}
    where id = ${claimed.id} returning deleted, is_calculating`)
  if (row === undefined || row.deleted) return "deleted"
  return row.is_calculating ? "changed" : "current"
}

export async function failCohort(db: Db, { id, claimed_at }: ClaimedCohort): Promise<void> {
  await db`
    update cohort set errors_calculating = errors_calculating + 1, claimed_at = null,
                      is_calculating = false
    where id = ${id} and claimed_at = ${claimed_at}`
}

/** It is still to be done. */
export async function releaseCohort(db: Db, { id, claimed_at }: ClaimedCohort): Promise<void> {
  await db`
    update cohort set claimed_at = null where id = ${id} and claimed_at = ${claimed_at}`
}

export interface CohortState {
  readonly id: number
  readonly project_id: number
  readonly depends_on: readonly number[]
  readonly deleted: boolean
  readonly version: number | null
  readonly pending_version: number
  readonly last_calculation: string | null
}

export function findState(db: Db, id: number): Promise<CohortState | undefined> {
  return first(db<CohortState[]>`select ${stateColumns(db)} from cohort where id = ${id}`)
}

/** All cohorts of a project that has this one, deleted ones included. */
export function listStatesBeside(db: Db, id: number): Promise<readonly CohortState[]> {
  return db<CohortState[]>`
    select ${stateColumns(db)} from cohort
    where project_id = (select project_id from cohort where id = ${id}) order by id`
}

function stateColumns(db: Db) {
  return db`id, project_id, depends_on, deleted, version, pending_version, last_calculation`
}

/** Those that wait, that are stuck, or whose time has come, oldest first; failures wait twice as long each time. */
export function listDue(db: Db, now: Date): Promise<readonly CohortState[]> {
  const waitMinutes = db`least(
    (case when c.is_static then ${STATIC_REFRESH_MINUTES}::float8 else ${REFRESH_MINUTES}::float8 end)
      * power(2, least(c.errors_calculating, ${BACKOFF_DOUBLINGS_MAX})),
    ${BACKOFF_MINUTES_MAX}::float8)`
  return db<CohortState[]>`
    select ${stateColumns(db)} from cohort c
    where not c.deleted and ${isFree(db, now)}
      and (c.is_calculating or c.attempted_at is null
           or c.attempted_at <= ${now}::timestamptz - ${waitMinutes} * interval '1 minute')
    order by c.last_calculation nulls first, c.id limit ${DUE_MAX}`
}

export function listStaticCohorts(db: Db): Promise<readonly { readonly id: number }[]> {
  return db<{ id: number }[]>`
    select id from cohort where is_static and not deleted order by id`
}
