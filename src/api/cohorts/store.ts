import { isLoop } from "../../cohorts/dependencies.ts"
import { invalid } from "../../lib/errors.ts"
import { type Db, first, one } from "../../relational/db.ts"
import { type Listing, listed, type Page } from "../http/paging.ts"
import { embeddedUser } from "../users/store.ts"
import type { Definition } from "./rules.ts"
import type { Cohort } from "./schema.ts"

function cohortColumns(db: Db) {
  return db`
    c.id, c.name, c.description, c.groups, c.filters, c.query, c.is_static, c.is_calculating,
    c.last_calculation, c.errors_calculating, c.version, c.pending_version, c.created_at, c.deleted,
    case when c.is_static then (select count(*)::integer from cohort_person m where m.cohort_id = c.id)
         else c.count end as count,
    (select ${embeddedUser(db)} from app_user u where u.id = c.created_by) as created_by`
}

export interface CohortName {
  readonly project_id: number
  readonly id: number
}

/** Unless it is deleted. */
export function findCohort(db: Db, { project_id, id }: CohortName): Promise<Cohort | undefined> {
  return first(db<Cohort[]>`
    select ${cohortColumns(db)} from cohort c
    where c.project_id = ${project_id} and c.id = ${id} and not c.deleted`)
}

/** Nobody else changes it before the transaction ends; persons may still join it, as those do who are merged. */
export async function lockCohort(db: Db, { project_id, id }: CohortName): Promise<void> {
  await db`select 1 from cohort where project_id = ${project_id} and id = ${id} for no key update`
}

/** Also when it was deleted in this transaction. */
export function readCohort(db: Db, id: number): Promise<Cohort> {
  return one(db<Cohort[]>`select ${cohortColumns(db)} from cohort c where c.id = ${id}`)
}

/** Newest first. */
export function listCohorts(db: Db, projectId: number, page: Page): Promise<Listing<Cohort>> {
  return listMatching(
    db,
    db`from cohort c where c.project_id = ${projectId} and not c.deleted`,
    page,
  )
}

interface Member {
  readonly project_id: number
  readonly person_id: number
  /** Dynamic ones that the person is in. */
  readonly dynamic_ids: readonly number[]
}

/** Those that a person is in, newest first. */
export function listCohortsOf(db: Db, member: Member, page: Page): Promise<Listing<Cohort>> {
  const matching = db`
    from cohort c where c.project_id = ${member.project_id} and not c.deleted
      and case when c.is_static
            then exists (select 1 from cohort_person m
                         where m.cohort_id = c.id and m.person_id = ${member.person_id})
            else c.id = any(${[...member.dynamic_ids]}::integer[]) end`
  return listMatching(db, matching, page)
}

function listMatching(
  db: Db,
  matching: ReturnType<typeof cohortColumns>,
  page: Page,
): Promise<Listing<Cohort>> {
  return listed(
    page,
    db<Cohort[]>`
      select ${cohortColumns(db)} ${matching}
      order by c.created_at desc, c.id desc limit ${page.limit} offset ${page.offset}`,
    () => db<{ count: number }[]>`select count(*) ${matching}`,
  )
}

export interface NewCohort extends Partial<Definition> {
  readonly project_id: number
  readonly name: string
  readonly description: string
  readonly is_static: boolean
  readonly created_by: number
  readonly now: Date
}

/** To be worked out. */
export async function createCohort(db: Db, draft: NewCohort): Promise<number> {
  const { filters = null, groups = [], query = null, depends_on = [] } = draft
  const { id } = await one(db<{ id: number }[]>`
    insert into cohort (project_id, name, description, is_static, filters, groups, query, depends_on,
                        created_by, created_at, is_calculating)
    values (${draft.project_id}, ${draft.name}, ${draft.description}, ${draft.is_static},
            ${jsonOrNull(db, filters)}, ${db.json(groups as never)}, ${jsonOrNull(db, query)},
            ${[...depends_on]}::integer[], ${draft.created_by}, ${draft.now}, true)
    returning id`)
  return id
}

export interface CohortChanges extends Partial<Definition> {
  readonly name?: string
  readonly description?: string
}

export async function updateCohort(db: Db, id: number, changes: CohortChanges): Promise<void> {
  const { filters, groups, query, depends_on, ...rest } = changes
  const columns = {
    ...rest,
    // A new query is asked, as the first one was.
    ...(query == null ? {} : { version: null }),
    ...(filters === undefined ? {} : { filters: jsonOrNull(db, filters) }),
    ...(groups === undefined ? {} : { groups: db.json(groups as never) }),
    ...(query === undefined ? {} : { query: jsonOrNull(db, query) }),
    ...(depends_on === undefined ? {} : { depends_on: [...depends_on] }),
  }
  if (Object.keys(columns).length === 0) return
  await db`update cohort set ${db(columns as never)} where id = ${id}`
}

function jsonOrNull(db: Db, value: unknown) {
  return value === null ? null : db.json(value as never)
}

/** Who should be in it has changed: it is to be worked out again, from a clean slate. */
export async function markChanged(db: Db, id: number): Promise<void> {
  await db`
    update cohort set pending_version = pending_version + 1, is_calculating = true,
                      errors_calculating = 0
    where id = ${id}`
}

/** A deleted cohort is not worked out any more; those that are made of it are, because it has changed. */
export async function markDeleted(db: Db, id: number, now: Date): Promise<void> {
  await db`
    update cohort set deleted = true, is_calculating = false, last_calculation = ${now}
    where id = ${id}`
}

/** Until the transaction ends: whoever changes what cohorts are made of waits for each other. */
export async function lockDefinitions(db: Db, projectId: number): Promise<void> {
  await db`select 1 from project where id = ${projectId} for no key update`
}

/** Under the lock. `id` is undefined for a cohort that is not there yet, which none can depend on. */
export async function checkReferences(
  db: Db,
  { project_id, id }: { project_id: number; id: number | undefined },
  wanted: readonly number[],
): Promise<void> {
  if (wanted.length === 0) return
  const others = await db<{ id: number; depends_on: number[] }[]>`
    select id, depends_on from cohort where project_id = ${project_id} and not deleted`
  const known = new Set(others.map((other) => other.id))
  const missing = wanted.find((cohortId) => !known.has(cohortId))
  if (missing !== undefined) {
    throw invalid(`There is no cohort ${missing} in this project.`, "filters", "does_not_exist")
  }
  if (id !== undefined && isLoop(id, wanted, others)) {
    throw invalid("A cohort cannot be made of itself, not even by way of others.", "filters")
  }
}
