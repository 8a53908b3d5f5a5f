/** The person lookup of paths, in the old parameters. */
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import { isJsonObject } from "../../lib/json.ts"
import { parseLookup as parseFunnelLookup } from "../funnels/lookup.ts"
import { commonQuestion, isGiven, numberOf, parseParameters, truthOf } from "../lookup.ts"
import { PathsSelection } from "./actors.ts"
import { PathsQuery } from "./question.ts"

export function parseLookup(parameters: JsonObject): {
  readonly asked: PathsQuery
  readonly selected: PathsSelection
} {
  const question = {
    ...commonQuestion(parameters),
    // What may be named there are the steps of a funnel.
    series: [],
    pathsFilter: filterOf(parameters),
  }
  const funnel = funnelOf(parameters)
  const asked = parseParameters(PathsQuery, question, NAMES)
  return {
    asked: funnel === undefined ? asked : { ...asked, funnelPathsFilter: funnel },
    selected: parseParameters(
      PathsSelection,
      {
        pathStartKey: parameters.path_start_key ?? null,
        pathEndKey: parameters.path_end_key ?? null,
        pathDropoffKey: parameters.path_dropoff_key ?? null,
      },
      NAMES,
    ),
  }
}

function filterOf(parameters: JsonObject): JsonObject {
  const { path_type, include_event_types } = parameters
  const types = isGiven(include_event_types) ? include_event_types : path_type
  return {
    includeEventTypes: listOf(types),
    includeCustomEvents: listOf(parameters.include_custom_events),
    excludeEvents: listOf(parameters.exclude_events),
    startPoint: parameters.start_point ?? null,
    endPoint: parameters.end_point ?? null,
    stepLimit: numberOf(parameters.step_limit),
    edgeLimit: numberOf(parameters.edge_limit),
    minEdgeWeight: numberOf(parameters.min_edge_weight),
    maxEdgeWeight: numberOf(parameters.max_edge_weight),
    pathGroupings: listOf(parameters.path_groupings),
    pathReplacements: truthOf(parameters.path_replacements),
    localPathCleaningFilters: listOf(parameters.local_path_cleaning_filters),
    pathsHogQLExpression: parameters.paths_hogql_expression ?? null,
  }
}

/** The funnel is a filter of its own, or its parameters stand beside those of the paths. */
function funnelOf(parameters: JsonObject): PathsQuery["funnelPathsFilter"] | undefined {
  const filter = isJsonObject(parameters.funnel_filter) ? parameters.funnel_filter : {}
  const type = parameters.funnel_paths ?? filter.funnel_paths
  if (!isGiven(type)) return undefined
  const { date_from, date_to, funnel_step } = parameters
  const source = isJsonObject(parameters.funnel_filter)
    ? { date_from: date_from ?? null, date_to: date_to ?? null, funnel_step: funnel_step ?? null }
    : parameters
  const { asked, selected } = parseFunnelLookup({ ...source, ...filter })
  const question = {
    funnelPathsFilter: { funnelPathType: type, funnelStep: selected.funnelStep ?? null },
  }
  const shape = PathsQuery.shape.funnelPathsFilter.unwrap().unwrap().omit({ funnelSource: true })
  return {
    ...parseParameters(shape, question.funnelPathsFilter, NAMES),
    funnelSource: asked,
  }
}

const listOf = (value: JsonValue | undefined): JsonValue =>
  isGiven(value) ? (Array.isArray(value) ? value : [value]) : null

const NAMES = {
  includeEventTypes: "include_event_types",
  includeCustomEvents: "include_custom_events",
  excludeEvents: "exclude_events",
  startPoint: "start_point",
  endPoint: "end_point",
  stepLimit: "step_limit",
  edgeLimit: "edge_limit",
  minEdgeWeight: "min_edge_weight",
  maxEdgeWeight: "max_edge_weight",
  pathGroupings: "path_groupings",
  pathReplacements: "path_replacements",
  localPathCleaningFilters: "local_path_cleaning_filters",
  pathsHogQLExpression: "paths_hogql_expression",
  pathStartKey: "path_start_key",
  pathEndKey: "path_end_key",
  pathDropoffKey: "path_dropoff_key",
  funnelPathType: "funnel_paths",
  funnelStep: "funnel_step",
} as const
