/** A dynamic cohort as one query that answers the uuids of its members. */
import { DomainError } from "../lib/errors.ts"
import { and, column, not, or, orFalse, PERSONS, table } from "../query/build.ts"
import { isPersonIn } from "../query/filters/cohort-conditions.ts"
import { compileFilters, type FilterContext } from "../query/filters/compile.ts"
import type { Expr, Select } from "../query/tree.ts"
import { compileBehavior } from "./compile-behavior.ts"
import type { CohortCondition, CohortGroup, CohortMember } from "./definition.ts"
import { wrong } from "./parse-values.ts"

export type CohortContext = Omit<FilterContext, "target">

const person = column(PERSONS, "uuid")

export function compileCohort(group: CohortGroup, context: CohortContext): Select {
  try {
    return {
      columns: [{ as: "person_id", expr: person }],
      from: table("persons", PERSONS, context.project_id),
      where: compileMember(group, context),
    }
  } catch (error) {
    // Filters of properties do not know that they are part of a cohort's.
    throw error instanceof DomainError && error.kind === "invalid" ? wrong(error.message) : error
  }
}

function compileMember(member: CohortMember, context: CohortContext): Expr {
  if (member.kind === "group") {
    const members = member.members.map((inner) => compileMember(inner, context))
    return member.type === "AND" ? and(...members) : or(...members)
  }
  const condition = orFalse(compileCondition(member, context))
  return member.isNegated ? not(condition) : condition
}

function compileCondition(condition: CohortCondition, context: CohortContext): Expr {
  switch (condition.kind) {
    case "person": {
      const group = { kind: "group", type: "AND", members: [condition.filter] } as const
      return compileFilters(group, { ...context, target: "persons" })
    }
    case "cohort": {
      const { project_id } = context
      return or(...condition.cohort_ids.map((cohort_id) => isPersonIn({ project_id, cohort_id })))
    }
    case "behavioral":
      return { kind: "inQuery", operand: person, query: compileBehavior(condition, context) }
  }
}
