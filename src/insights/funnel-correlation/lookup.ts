/** The person lookup of correlations, in the old parameters. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { parseLookupQuestion } from "../funnels/lookup.ts"
import { isGiven, parseParameters, truthOf } from "../lookup.ts"
import { CorrelationQuery, CorrelationSelection } from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: CorrelationQuery
  readonly selected: CorrelationSelection
} {
  const question = {
    funnelCorrelationType: parameters.funnel_correlation_type ?? null,
    funnelCorrelationNames: parameters.funnel_correlation_names ?? null,
    funnelCorrelationExcludeNames: parameters.funnel_correlation_exclude_names ?? null,
    funnelCorrelationEventNames: parameters.funnel_correlation_event_names ?? null,
    funnelCorrelationExcludeEventNames: parameters.funnel_correlation_exclude_event_names ?? null,
    funnelCorrelationEventExcludePropertyNames:
      parameters.funnel_correlation_event_exclude_property_names ?? null,
  }
  const selection = {
    funnelCorrelationPersonEntity: entityOf(parameters.funnel_correlation_person_entity),
    funnelCorrelationPersonConverted: truthOf(parameters.funnel_correlation_person_converted),
    funnelCorrelationPropertyValues: parameters.funnel_correlation_property_values ?? null,
  }
  const source = parseLookupQuestion(parameters)
  const asked = parseParameters(CorrelationQuery.omit({ source: true }), question, NAMES)
  return {
    asked: { ...asked, source },
    selected: parseParameters(CorrelationSelection, selection, NAMES),
  }
}

const NAMES = {
  funnelCorrelationType: "funnel_correlation_type",
  funnelCorrelationNames: "funnel_correlation_names",
  funnelCorrelationExcludeNames: "funnel_correlation_exclude_names",
  funnelCorrelationEventNames: "funnel_correlation_event_names",
  funnelCorrelationExcludeEventNames: "funnel_correlation_exclude_event_names",
  funnelCorrelationEventExcludePropertyNames: "funnel_correlation_event_exclude_property_names",
  funnelCorrelationPersonEntity: "funnel_correlation_person_entity",
  funnelCorrelationPersonConverted: "funnel_correlation_person_converted",
} as const

/** Old entities name their event by `id`. */
function entityOf(entity: JsonValue | undefined): JsonValue {
  if (!isJsonObject(entity)) return isGiven(entity) ? entity : null
  const kind = entity.type === "actions" ? "ActionsNode" : "EventsNode"
  return { ...entity, kind, event: entity.event ?? entity.id ?? null }
}
