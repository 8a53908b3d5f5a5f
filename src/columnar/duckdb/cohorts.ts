/**
 * Members of cohorts. What a query answers is written to a file beside writers, and taken over from it in one
 * short transaction: a long calculation holds nobody up. In between persons may be merged or removed, so the
 * file is held against the persons of that transaction.
 */
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import type { DuckDBConnection } from "@duckdb/node-api"
import { randomToken } from "../../lib/ids.ts"
import type { CohortKey, MemberChange, QueryLimits } from "../engine.ts"
import { type Question, queryRows } from "./query.ts"
import { readTexts } from "./read-texts.ts"
import { sqlText } from "./sql-text.ts"
import { COHORTS_FOLDER } from "./store.ts"

/** Uuids that one statement takes. */
const UUIDS_PER_STATEMENT = 20_000

/** `question` answers one column of uuids. */
export async function replaceMembersByQuery(
  cohort: CohortKey,
  question: Question,
  limits: QueryLimits,
): Promise<number> {
  const { store } = question
  const folder = path.join(store.folder, COHORTS_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `${randomToken(16)}.parquet`)
  try {
    await queryRows(
      { ...question, print: (catalogue) => intoFile(question, catalogue, file) },
      limits,
    )
    return await store.write(async (tx) => {
      await removeMembers(tx, cohort)
      await insertFromFile(tx, cohort, file)
      return countMembers(tx, cohort)
    })
  } finally {
    await rm(file, { force: true })
  }
}

function intoFile({ print }: Question, catalogue: Parameters<Question["print"]>[0], file: string) {
  const { sql, params } = print(catalogue)
  const members = `SELECT DISTINCT person_id FROM (${sql}) AS t (person_id)`
  return { sql: `COPY (${members}) TO ${sqlText(file)} (FORMAT parquet)`, params }
}

async function insertFromFile(tx: DuckDBConnection, cohort: CohortKey, file: string) {
  await tx.run(
    `INSERT INTO cohort_members
      SELECT DISTINCT p.project_id, CAST($2 AS INTEGER), p.uuid
      FROM read_parquet(${sqlText(file)}) AS f
      LEFT JOIN overrides AS o ON o.project_id = $1 AND o.old_person_id = f.person_id
      JOIN persons AS p ON p.project_id = $1 AND p.uuid = coalesce(o.person_id, f.person_id)`,
    [cohort.project_id, cohort.cohort_id],
  )
}

/** Inside a transaction, as are those below. */
export async function replaceMembers(
  tx: DuckDBConnection,
  cohort: CohortKey,
  uuids: readonly string[],
): Promise<number> {
  await removeMembers(tx, cohort)
  return changeMembers(tx, cohort, { add: uuids, remove: [] })
}

export async function changeMembers(
  tx: DuckDBConnection,
  cohort: CohortKey,
  { add, remove }: MemberChange,
): Promise<number> {
  for (const uuids of slices(add)) await insertUuids(tx, cohort, uuids)
  for (const uuids of slices(remove)) await removeUuids(tx, cohort, uuids)
  return countMembers(tx, cohort)
}

function* slices(uuids: readonly string[]): Generator<string> {
  for (let index = 0; index < uuids.length; index += UUIDS_PER_STATEMENT) {
    yield JSON.stringify(uuids.slice(index, index + UUIDS_PER_STATEMENT))
  }
}

const UUIDS = `(SELECT unnest(from_json($3, '["UUID"]')))`

/** Those who are merged into a person are that person. */
const CURRENT_MEMBERS = `(SELECT m.rowid AS row, coalesce(o.person_id, m.person_id) AS person_id
  FROM cohort_members AS m LEFT JOIN overrides AS o
    ON o.project_id = m.project_id AND o.old_person_id = m.person_id
  WHERE m.project_id = $1 AND m.cohort_id = $2)`

async function insertUuids(tx: DuckDBConnection, cohort: CohortKey, uuids: string) {
  await tx.run(
    `INSERT INTO cohort_members SELECT DISTINCT $1, $2, uuid FROM ${UUIDS} AS u (uuid)
      WHERE uuid NOT IN (SELECT person_id FROM ${CURRENT_MEMBERS})`,
    [cohort.project_id, cohort.cohort_id, uuids],
  )
}

async function removeUuids(tx: DuckDBConnection, cohort: CohortKey, uuids: string) {
  await tx.run(
    `DELETE FROM cohort_members WHERE rowid IN
      (SELECT row FROM ${CURRENT_MEMBERS} WHERE person_id IN ${UUIDS})`,
    [cohort.project_id, cohort.cohort_id, uuids],
  )
}

export async function removeMembers(
  tx: DuckDBConnection,
  { project_id, cohort_id }: CohortKey,
): Promise<void> {
  await tx.run("DELETE FROM cohort_members WHERE project_id = $1 AND cohort_id = $2", [
    project_id,
    cohort_id,
  ])
}

async function countMembers(
  tx: DuckDBConnection,
  { project_id, cohort_id }: CohortKey,
): Promise<number> {
  const sql = `SELECT count(DISTINCT person_id) FROM ${CURRENT_MEMBERS}`
  const [row] = await readTexts(tx, sql, [project_id, cohort_id])
  return Number(row?.[0] ?? 0)
}
