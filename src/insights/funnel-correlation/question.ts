/** What a correlation asks: a funnel, and what its actors are compared by. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { FunnelsQuery } from "../funnels/question.ts"
import { SeriesSchema } from "../series.ts"

const NAMES_MAX = 1_000
const names = z.array(z.string()).max(NAMES_MAX).nullish()

/** The funnel, or the actors of one as the query endpoint has them. */
const source = z.preprocess((value) => {
  const isActors = typeof value === "object" && value !== null && "source" in value
  return isActors ? value.source : value
}, FunnelsQuery)

export const CorrelationQuery = z.object({
  source,
  funnelCorrelationType: z.enum(["events", "properties", "event_with_properties"]).nullish(),
  /** Properties of persons; "$all" stands for all of them. */
  funnelCorrelationNames: names,
  funnelCorrelationExcludeNames: names,
  funnelCorrelationEventNames: names,
  funnelCorrelationEventExcludePropertyNames: names,
  funnelCorrelationExcludeEventNames: names,
})
export type CorrelationQuery = z.output<typeof CorrelationQuery>

export const CorrelationSelection = z.object({
  /** What the persons did between the steps. */
  funnelCorrelationPersonEntity: SeriesSchema.nullish(),
  /** Only those who did, or who did not, take the last step. */
  funnelCorrelationPersonConverted: z.boolean().nullish(),
  /** What the persons are. */
  funnelCorrelationPropertyValues: z.unknown().optional(),
})
export type CorrelationSelection = z.output<typeof CorrelationSelection>

/** What actors are compared by, with the lists that it needs. */
export type Comparison =
  | { readonly kind: "events"; readonly excluded: readonly string[] }
  | {
      readonly kind: "properties"
      /** Undefined for all. */
      readonly keys: readonly string[] | undefined
      readonly excluded: readonly string[]
    }
  | {
      readonly kind: "event_with_properties"
      readonly events: readonly string[]
      readonly excluded: readonly string[]
    }

export function parseComparison(asked: CorrelationQuery): Comparison {
  const kind = asked.funnelCorrelationType ?? "events"
  if (kind === "events") return { kind, excluded: asked.funnelCorrelationExcludeEventNames ?? [] }
  if (kind === "properties") {
    const keys = getNames(asked.funnelCorrelationNames, "funnelCorrelationNames")
    const excluded = asked.funnelCorrelationExcludeNames ?? []
    return { kind, keys: keys.includes("$all") ? undefined : keys, excluded }
  }
  return {
    kind,
    events: getNames(asked.funnelCorrelationEventNames, "funnelCorrelationEventNames"),
    excluded: asked.funnelCorrelationEventExcludePropertyNames ?? [],
  }
}

function getNames(list: readonly string[] | null | undefined, attr: string): readonly string[] {
  if (list !== null && list !== undefined && list.length > 0) return list
  throw invalid(`${attr} must name what to compare by.`, attr, "required")
}
