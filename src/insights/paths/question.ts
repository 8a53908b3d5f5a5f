/** What paths are asked of: whose steps, which of them, and where they begin and end. */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"
import { isInRange } from "../../query/buckets.ts"
import { and } from "../../query/build.ts"
import type { PathCleaning } from "../../query/filters/operators.ts"
import { judgePattern } from "../../query/re2.ts"
import type { Expr } from "../../query/tree.ts"
import { isSomeActor } from "../active-buckets.ts"
import { findRange } from "../asked-range.ts"
import { FunnelsQuery } from "../funnels/question.ts"
import type { InsightContext, Plan } from "../insight.ts"
import { actorOf, isAskedFor, QUESTION_FIELDS, TIMESTAMP } from "../series.ts"
import { FUNNEL_PATHS, type FunnelStretch, readStretch } from "./funnel-stretch.ts"
import { EVENT_TYPES, type StepSource, stepSource } from "./step-source.ts"

const STEPS_DEFAULT = 5
const STEPS_MAX = 1_000
/** As many as are shown of all edges between two points. */
export const EDGES_MAX = 100_000
const LIST_MAX = 1_000
/** Who does nothing for so long begins anew. */
const PAUSE_SECONDS = 1_800

const texts = z.array(z.string()).max(LIST_MAX)
const weight = z.number().int().min(0)

const PathsFilter = z.object({
  includeEventTypes: z.array(z.enum(EVENT_TYPES)).nullish(),
  /** Only these, of the events that applications name themselves. */
  includeCustomEvents: texts.nullish(),
  excludeEvents: texts.nullish(),
  startPoint: z.string().nullish(),
  endPoint: z.string().nullish(),
  stepLimit: z.number().int().min(1).max(STEPS_MAX).nullish(),
  edgeLimit: z.number().int().min(1).max(EDGES_MAX).nullish(),
  minEdgeWeight: weight.nullish(),
  maxEdgeWeight: weight.nullish(),
  pathGroupings: texts.nullish(),
  pathReplacements: z.boolean().nullish(),
  localPathCleaningFilters: z
    .array(z.object({ alias: z.string().nullish(), regex: z.string().nullish() }))
    .max(LIST_MAX)
    .nullish(),
  pathsHogQLExpression: z.string().nullish(),
  pathStartKey: z.string().nullish(),
  pathEndKey: z.string().nullish(),
  pathDropoffKey: z.string().nullish(),
})
export type PathsFilter = z.output<typeof PathsFilter>

export const PathsQuery = z.object({
  ...QUESTION_FIELDS,
  pathsFilter: PathsFilter.nullish(),
  funnelPathsFilter: z
    .object({
      funnelPathType: z.enum(FUNNEL_PATHS),
      funnelSource: FunnelsQuery,
      funnelStep: z.number().int().nullish(),
    })
    .nullish(),
})
export type PathsQuery = z.output<typeof PathsQuery>

/** A question that is ready to be read. */
export interface Paths {
  readonly context: InsightContext
  /** What every event has to be, whatever it shows. */
  readonly where: Expr
  readonly actor: Expr
  readonly source: StepSource
  readonly cleaning: readonly PathCleaning[]
  readonly groupings: readonly string[]
  readonly excluded: readonly string[]
  readonly start: string | undefined
  readonly end: string | undefined
  /** Of a path, at most so many steps are kept. */
  readonly stepLimit: number
  readonly pauseSeconds: number
  /** Only what lies in this part of each actor's attempt at a funnel. */
  readonly stretch: FunnelStretch | undefined
}

export function* readPaths(asked: PathsQuery, context: InsightContext): Plan<Paths> {
  const filter = asked.pathsFilter ?? {}
  const range = yield* findRange({ dateRange: asked.dateRange, interval: "day" }, context)
  const stretch = yield* readStretch(asked, context)
  const { aggregation_group_type_index: groupTypeIndex } = asked
  const actor = actorOf(groupTypeIndex)
  return {
    context,
    where: and(
      isInRange(TIMESTAMP, range),
      ...isSomeActor(actor, groupTypeIndex),
      isAskedFor(asked, context),
    ),
    actor,
    source: stepSource(filter, context),
    cleaning: cleaningOf(filter, context),
    groupings: (filter.pathGroupings ?? []).filter((pattern) => pattern !== ""),
    excluded: filter.excludeEvents ?? [],
    start: pointOf(filter.startPoint),
    end: pointOf(filter.endPoint),
    stepLimit: filter.stepLimit ?? STEPS_DEFAULT,
    pauseSeconds: stretch?.pauseSeconds ?? PAUSE_SECONDS,
    stretch,
  }
}

/** As addresses of pages are shown: without the slash that ends them. */
function pointOf(point: string | null | undefined): string | undefined {
  if (point === undefined || point === null || point === "") return undefined
  return point.length > 1 && point.endsWith("/") ? point.slice(0, -1) : point
}

function cleaningOf(filter: PathsFilter, { pathCleaning }: InsightContext) {
  const own = filter.localPathCleaningFilters ?? []
  for (const { regex } of own) {
    if (typeof regex === "string" && judgePattern(regex) !== "valid") {
      throw invalid(
        `"${regex}" is no regular expression (RE2) that paths can be cleaned by.`,
        "localPathCleaningFilters",
      )
    }
  }
  return filter.pathReplacements === true ? [...pathCleaning, ...own] : own
}
