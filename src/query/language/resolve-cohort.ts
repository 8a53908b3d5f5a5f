/** `person_id IN COHORT 5`, `IN COHORT 'name'`. */
import { not, orFalse } from "../build.ts"
import type { ExprAst } from "./ast.ts"
import { asValue, BOOLEAN, isNullable, type Place, type Resolved, report } from "./resolving.ts"
import { suggestName } from "./suggest.ts"
import { cohortPersonsQuery } from "./tables.ts"

export function resolveCohort(
  { operator, left, right }: Extract<ExprAst, { kind: "compare" }>,
  place: Place,
): Resolved {
  const { work } = place
  const operand = work.resolveExpr(left, asValue(place))
  if (operand.type.kind !== "uuid" && operand.type.kind !== "unknown") {
    const message = "Only ids of persons can be in a cohort."
    const suggestion = "Write person_id IN COHORT, or id IN COHORT of persons."
    return report(work, { code: "illegal_type_of_argument", message, span: left.span, suggestion })
  }
  const cohort_id = findCohort(right, place)
  if (cohort_id === undefined) return { ...operand, type: BOOLEAN }
  const query = cohortPersonsQuery(work.context.project_id, cohort_id)
  const isIn = { kind: "inQuery", operand: operand.expr, query } as const
  const isNegated = operator === "not in cohort"
  const isPlain = !isNullable(operand.type) || (place.isCondition && !isNegated)
  const known = isPlain ? isIn : orFalse(isIn)
  return { expr: isNegated ? not(known) : known, type: BOOLEAN }
}

function findCohort(ast: ExprAst, { work }: Place): number | undefined {
  const value = ast.kind === "constant" ? ast.value : undefined
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  if (typeof value !== "string") {
    const message = "A cohort is named by its id or by its name in quotes."
    report(work, { code: "wrong_arguments", message, span: ast.span })
    return undefined
  }
  const { cohorts = new Map<string, number>() } = work.context
  const id = cohorts.get(value)
  if (id === undefined) {
    const meant = suggestName(value, cohorts.keys())
    const suggestion = meant === undefined ? {} : { suggestion: `Perhaps you meant '${meant}'?` }
    const message = `There is no cohort '${value}'.`
    report(work, { code: "wrong_arguments", message, span: ast.span, ...suggestion })
  }
  return id
}
