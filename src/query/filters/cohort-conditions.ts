/** Whether a person is in a cohort, by the members that were last worked out. */
import { call, column, eq, not, number, PERSONS, table } from "../build.ts"
import type { Expr, Select } from "../tree.ts"

const MEMBERS = "cm"
const OVERRIDES = "cmo"

export interface CohortQuestion {
  /** A person's uuid. */
  readonly person: Expr
  readonly project_id: number
  readonly cohort_id: number
  readonly isNegated: boolean
}

/** A cohort that is not there has no members: nobody is in it. */
export function compileCohortCondition(question: CohortQuestion): Expr {
  const { person, project_id, cohort_id, isNegated } = question
  const query = cohortMembers({ project_id, cohort_id })
  const isMember: Expr = { kind: "inQuery", operand: person, query }
  return isNegated ? not(isMember) : isMember
}

/** Of rows of `PERSONS`. */
export function isPersonIn(cohort: { project_id: number; cohort_id: number }): Expr {
  const { project_id, cohort_id } = cohort
  const person = column(PERSONS, "uuid")
  return compileCohortCondition({ person, project_id, cohort_id, isNegated: false })
}

/** Whom a member is now: merged persons count as the person they became. */
export const memberPerson: Expr = call(
  "coalesce",
  column(OVERRIDES, "person_id"),
  column(MEMBERS, "person_id"),
)

export const memberCohort: Expr = column(MEMBERS, "cohort_id")

/** Members that know who they are now (`memberPerson`). */
export function membersWithPersons(project_id: number): Required<Pick<Select, "from" | "joins">> {
  const on = eq(column(OVERRIDES, "old_person_id"), column(MEMBERS, "person_id"))
  return {
    from: table("cohort_members", MEMBERS, project_id),
    joins: [{ kind: "left", source: table("overrides", OVERRIDES, project_id), on }],
  }
}

/** The uuids of a cohort's members; one who is merged into another may be there twice. */
export function cohortMembers(cohort: { project_id: number; cohort_id: number }): Select {
  return {
    columns: [{ as: "person_id", expr: memberPerson }],
    ...membersWithPersons(cohort.project_id),
    where: eq(memberCohort, number(cohort.cohort_id)),
  }
}
