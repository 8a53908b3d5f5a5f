/** Which values the step has whose value an attempt counts for. */
import { column, eq } from "../../query/build.ts"
import type { Select } from "../../query/tree.ts"
import { type Funnel, subquery } from "./funnel.ts"
import { columnsOf, namesOf, stepEvents, valueNames } from "./step-events.ts"

/** Each start once for every value that its actor has at that step. */
export function withCandidates(starts: Select, funnel: Funnel): Select {
  const candidates: Select = {
    distinct: true,
    columns: columnsOf("c", ["actor_id", ...valueNames(funnel)]),
    from: subquery(stepEvents(funnel, funnel.breakdown?.step ?? 0), "c"),
  }
  return {
    columns: [...columnsOf("v", valueNames(funnel)), ...columnsOf("s", namesOf(starts))],
    from: subquery(starts, "s"),
    joins: [
      {
        kind: "inner",
        source: subquery(candidates, "v"),
        on: eq(column("v", "actor_id"), column("s", "actor_id")),
      },
    ],
  }
}
