/**
 * Members of cohorts. What changes goes in by one insert, in which the end of a membership is a row too: a reader
 * sees the members of before or of after.
 */
import type { CohortKey, MemberChange, QueryLimits } from "../engine.ts"
import { deleteRows } from "./apply.ts"
import type { Connection } from "./connection.ts"
import { type Question, runQuery } from "./query.ts"
import { slicesOf, sqlInteger, sqlUuids, UUIDS_PER_STATEMENT } from "./sql-text.ts"

/** `question` answers one column of uuids. Those who are merged into a person are that person. */
export async function replaceMembersByQuery(
  cohort: CohortKey,
  question: Question,
  limits: QueryLimits,
): Promise<number> {
  const { connection, printed } = question
  const project = sqlInteger(cohort.project_id)
  const found = `f.${printed.columns[0]?.printed}`
  const wanted = `SELECT DISTINCT p.uuid AS person FROM (${printed.sql}) AS f
    LEFT JOIN (SELECT old_person_id, person_id FROM overrides FINAL WHERE project_id = ${project}) AS o
      ON o.old_person_id = ${found}
    INNER JOIN (SELECT uuid FROM persons FINAL WHERE project_id = ${project}) AS p
      ON p.uuid = coalesce(o.person_id, ${found})`
  await runQuery({ ...question, printed: { ...printed, sql: replacement(cohort, wanted) } }, limits)
  return countMembers(connection, cohort)
}

/** A list may be longer than a statement: what changes is found here. */
export async function replaceMembers(
  connection: Connection,
  cohort: CohortKey,
  uuids: readonly string[],
): Promise<number> {
  const wanted = new Set(uuids.map((uuid) => uuid.toLowerCase()))
  const stored = await readStored(connection, cohort)
  const lines: string[] = []
  for (const person of new Set([...wanted, ...stored.keys()])) {
    const { version = 0, isMember = false } = stored.get(person) ?? {}
    if (isMember === wanted.has(person)) continue
    const row = { person_id: person, row_version: version + 1, is_deleted: isMember ? 1 : 0 }
    lines.push(JSON.stringify({ ...cohort, ...row }))
  }
  await connection.insert("cohort_members", lines)
  return countMembers(connection, cohort)
}

async function readStored(connection: Connection, { project_id, cohort_id }: CohortKey) {
  const rows = await connection.read(
    `SELECT person_id, max(row_version), argMax(is_deleted, row_version) FROM cohort_members
      WHERE project_id = ${sqlInteger(project_id)} AND cohort_id = ${sqlInteger(cohort_id)} GROUP BY person_id`,
  )
  return new Map(
    rows.map(([person, version, isDeleted]) => [
      person ?? "",
      { version: Number(version), isMember: isDeleted === "0" },
    ]),
  )
}

/** `wanted` is a query of the persons who shall be members. */
function replacement({ project_id, cohort_id }: CohortKey, wanted: string): string {
  const [project, cohort] = [sqlInteger(project_id), sqlInteger(cohort_id)]
  return `INSERT INTO cohort_members (project_id, cohort_id, person_id, row_version, is_deleted)
    SELECT ${project}, ${cohort}, person, max(stored) + 1, toUInt8(max(is_new) = 0) FROM (
      SELECT person, 0 AS stored, 1 AS is_new, 0 AS is_old FROM (${wanted})
      UNION ALL
      SELECT person_id, max(row_version), 0, argMax(is_deleted, row_version) = 0 FROM cohort_members
      WHERE project_id = ${project} AND cohort_id = ${cohort} GROUP BY person_id)
    GROUP BY person HAVING max(is_new) != max(is_old)`
}

export async function changeMembers(
  connection: Connection,
  cohort: CohortKey,
  { add, remove }: MemberChange,
): Promise<number> {
  const current = currentMembers(cohort)
  for (const slice of slicesOf(add, UUIDS_PER_STATEMENT)) {
    const listed = `SELECT arrayJoin([${sqlUuids(new Set(slice))}]::Array(UUID)) AS person`
    const wanted = `SELECT person FROM (${listed}) WHERE person NOT IN (SELECT person FROM (${current}))`
    await connection.run(write(cohort, wanted, { isDeleted: 0 }))
  }
  for (const slice of slicesOf(remove, UUIDS_PER_STATEMENT)) {
    const gone = `SELECT c.stored AS person FROM (${current}) AS c WHERE c.person IN (${sqlUuids(slice)})`
    await connection.run(write(cohort, gone, { isDeleted: 1 }))
  }
  return countMembers(connection, cohort)
}

function write(
  { project_id, cohort_id }: CohortKey,
  persons: string,
  { isDeleted }: { isDeleted: 0 | 1 },
): string {
  const [project, cohort] = [sqlInteger(project_id), sqlInteger(cohort_id)]
  return `INSERT INTO cohort_members (project_id, cohort_id, person_id, row_version, is_deleted)
    SELECT ${project}, ${cohort}, w.person, coalesce(s.newest, 0) + 1, ${isDeleted} FROM (${persons}) AS w
    LEFT JOIN (SELECT person_id, max(row_version) AS newest FROM cohort_members
      WHERE project_id = ${project} AND cohort_id = ${cohort} GROUP BY person_id) AS s
    ON s.person_id = w.person`
}

export async function removeMembers(
  connection: Connection,
  { project_id, cohort_id }: CohortKey,
): Promise<void> {
  const condition = `project_id = ${sqlInteger(project_id)} AND cohort_id = ${sqlInteger(cohort_id)}`
  await deleteRows(connection, "cohort_members", condition)
}

/** Those who are merged into a person are that person. */
function currentMembers({ project_id, cohort_id }: CohortKey): string {
  const project = sqlInteger(project_id)
  return `SELECT m.person_id AS stored, if(o.old_person_id = m.person_id, o.person_id, m.person_id) AS person
    FROM (SELECT person_id FROM cohort_members FINAL
      WHERE project_id = ${project} AND cohort_id = ${sqlInteger(cohort_id)}) AS m
    LEFT JOIN (SELECT old_person_id, person_id FROM overrides FINAL WHERE project_id = ${project}) AS o
      ON o.old_person_id = m.person_id`
}

async function countMembers(connection: Connection, cohort: CohortKey): Promise<number> {
  const sql = `SELECT uniqExact(person) FROM (${currentMembers(cohort)})`
  const [row] = await connection.read(sql)
  return Number(row?.[0] ?? 0)
}
