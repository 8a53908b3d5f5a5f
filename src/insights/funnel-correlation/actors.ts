/** Who of a funnel did something between its steps, or is something, and converted or did not. */
import { and, boolean, column, eq } from "../../query/build.ts"
import { compileFilters } from "../../query/filters/compile.ts"
import { parsePropertyFilters } from "../../query/filters/parse.ts"
import type { Select } from "../../query/tree.ts"
import { subquery } from "../funnels/funnel.ts"
import { findStepMoments, type StepMoments } from "../funnels/step-moments.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { isOfSeries } from "../series.ts"
import type { CorrelationQuery, CorrelationSelection } from "./question.ts"
import { actorColumns, ownersOf, traitOfEvents } from "./traits.ts"

const ACTORS = "a"
const CHOSEN = "c"

export function* findActors(
  asked: CorrelationQuery,
  selected: CorrelationSelection,
  context: InsightContext,
): Plan<ActorSource> {
  const moments = yield* findStepMoments(asked.source, context)
  const { actorKind } = moments.funnel
  const isWanted = selected.funnelCorrelationPersonConverted
  const owner = actorKind.kind === "expression" ? "person_id" : "actor_id"
  return {
    query: {
      distinct: true,
      columns: [{ as: "actor_id", expr: column(CHOSEN, owner) }],
      from: subquery(chosenActors(moments, selected, context), CHOSEN),
      where: and(
        ...(typeof isWanted === "boolean"
          ? [eq(column(CHOSEN, "is_converted"), boolean(isWanted))]
          : []),
      ),
    },
    actor: actorKind.kind === "expression" ? { kind: "person" } : actorKind,
    extras: [],
    orderBy: [],
  }
}

function chosenActors(
  moments: StepMoments,
  { funnelCorrelationPersonEntity: entity, funnelCorrelationPropertyValues }: CorrelationSelection,
  context: InsightContext,
): Select {
  if (entity !== null && entity !== undefined) {
    return traitOfEvents(moments, isOfSeries(entity, context))
  }
  const { join } = ownersOf(moments.funnel)
  const target = moments.funnel.actorKind.kind === "group" ? "events" : "persons"
  const { project_id, now, timezone, pathCleaning, personsByDistinctId } = context
  const filters = { project_id, now, timezone, pathCleaning, personsByDistinctId, target } as const
  return {
    columns: actorColumns(moments),
    from: subquery(moments.query, ACTORS),
    joins: [join],
    where: compileFilters(parsePropertyFilters(funnelCorrelationPropertyValues), filters),
  }
}
