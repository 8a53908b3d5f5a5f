/**
 * What an insight is: a question in the caller's words, a plan of queries, an answer; and the persons behind a
 * part of the answer. A plan does no I/O: it yields queries and is given their rows.
 */
import type { z } from "zod"
import type { JsonObject, JsonValue } from "../lib/json.ts"
import type { ZoneSettings } from "../query/date-range.ts"
import type { FilterContext } from "../query/filters/compile.ts"
import type { PropertyGroup } from "../query/filters/parse.ts"
import type { Expr, Query } from "../query/tree.ts"

export type AnswerRow = Readonly<Record<string, unknown>>

/** Yields a query, is resumed with its rows, returns what was wanted. */
export type Plan<T> = Generator<Query, T, readonly AnswerRow[]>

/** What a plan may know of the project and of the moment. */
export interface InsightContext extends ZoneSettings {
  readonly project_id: number
  readonly testAccountFilters: PropertyGroup
  readonly pathCleaning: NonNullable<FilterContext["pathCleaning"]>
  readonly personsByDistinctId: FilterContext["personsByDistinctId"]
  /** An expression of the query language over events (`EVENTS` and what `eventsReading` joins). */
  readonly compileExpression: (text: string) => {
    readonly expr: Expr
    readonly isAggregate: boolean
  }
  /** A condition in the query language over the same. */
  readonly compileCondition: (text: string) => Expr
  /** Names of cohorts that a breakdown may show, by id; those that are not there do not exist. */
  readonly cohortNames: ReadonlyMap<number, string>
}

/** Who is behind a part of an answer. */
export interface ActorSource {
  /** One row per actor: `actor_id` (a person's uuid, or a group's key) and the columns of `extras`. */
  readonly query: Query
  readonly actor: { readonly kind: "person" } | { readonly kind: "group"; readonly index: number }
  /** Columns that are shown with each actor, such as `value_at_data_point`. */
  readonly extras: readonly string[]
  /** By columns of `extras`; the actor's id breaks ties. */
  readonly orderBy: readonly { readonly column: string; readonly direction: "asc" | "desc" }[]
}

export interface Insight<Asked, Selected> {
  /** "TrendsQuery". */
  readonly kind: string
  /** The body of `query`, in the camelCase of the query endpoint. Unknown keys are ignored. */
  readonly schema: z.ZodType<Asked>
  /** `results` and what else belongs beside it. */
  plan(asked: Asked, context: InsightContext): Plan<InsightAnswer>
  /** Which part: the fields of `InsightActorsQuery` or of its like that this insight knows. */
  readonly selection: z.ZodType<Selected>
  actors(asked: Asked, selected: Selected, context: InsightContext): Plan<ActorSource>
  /** The person lookup: the old snake_case parameters (JSON already parsed) as a question and a part of it. */
  parseLookup(parameters: JsonObject): { readonly asked: Asked; readonly selected: Selected }
}

export interface InsightAnswer {
  readonly results: JsonValue
  readonly [extra: string]: JsonValue
}

/** Runs a query inside a plan: `const rows = yield* ask(query)`. */
export function* ask(query: Query): Plan<readonly AnswerRow[]> {
  return yield query
}
