/** Who is in a dynamic cohort, as data: conditions of three kinds, grouped at will. */
import type { PropertyFilter, PropertyGroup } from "../query/filters/parse.ts"
import type { CompareOperator } from "../query/tree.ts"

/** Never empty. */
export interface CohortGroup {
  readonly kind: "group"
  readonly type: "AND" | "OR"
  readonly members: readonly CohortMember[]
}

export type CohortMember = CohortGroup | CohortCondition

export type CohortCondition = { readonly isNegated: boolean } & (
  | { readonly kind: "person"; readonly filter: PropertyFilter }
  /** In any of them. */
  | { readonly kind: "cohort"; readonly cohort_ids: readonly number[] }
  | { readonly kind: "behavioral"; readonly of: EventMatch; readonly behavior: Behavior }
)

/** Events that count for a behavior. */
export interface EventMatch {
  readonly event: string
  readonly filters: PropertyGroup
}

export const SPAN_UNITS = ["minute", "hour", "day", "week", "month", "year"] as const

export interface Span {
  readonly count: number
  readonly unit: (typeof SPAN_UNITS)[number]
}

/** The last so many days, or from one date to another as the caller writes them. */
export type Window =
  | { readonly kind: "last"; readonly span: Span }
  | { readonly kind: "dates"; readonly from: string; readonly to: string | undefined }

/** How often, compared with a number; somebody who never did it is not counted at all. */
export interface Frequency {
  readonly operator: CompareOperator
  readonly count: number
}

export type Behavior =
  /** Once or more. */
  | { readonly value: "performed_event"; readonly window: Window }
  | {
      readonly value: "performed_event_multiple"
      readonly window: Window
      readonly frequency: Frequency
    }
  /** The first time ever lies in the window. */
  | { readonly value: "performed_event_first_time"; readonly window: Window }
  /** An event in the window, and after it, within the span, the next. */
  | {
      readonly value: "performed_event_sequence"
      readonly window: Window
      readonly next: EventMatch
      readonly within: Span
    }
  /** So often in at least `minPeriods` of the last `totalPeriods`. */
  | {
      readonly value: "performed_event_regularly"
      readonly period: Span
      readonly totalPeriods: number
      readonly minPeriods: number
      readonly frequency: Frequency
    }
  /** In the time before the recent one, and not since. */
  | {
      readonly value: "stopped_performing_event"
      readonly span: Span
      readonly recent: Span
    }
  /** Before the span, not in it until the recent time, then again. */
  | {
      readonly value: "restarted_performing_event"
      readonly span: Span
      readonly recent: Span
    }

/** Cohorts that must be known before this one can be. */
export function listReferences({ members }: CohortGroup): readonly number[] {
  const ids = members.flatMap((member) => {
    if (member.kind === "group") return listReferences(member)
    return member.kind === "cohort" ? member.cohort_ids : []
  })
  return [...new Set(ids)]
}

export function listConditions({ members }: CohortGroup): readonly CohortCondition[] {
  return members.flatMap((member) => (member.kind === "group" ? listConditions(member) : [member]))
}
