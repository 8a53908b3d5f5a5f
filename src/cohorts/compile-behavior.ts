/** What persons did, as queries of their uuids. Events are read only from the time that matters. */
import {
  aggregate,
  aggregateIf,
  and,
  call,
  column,
  compare,
  EVENTS,
  eq,
  gt,
  gte,
  lt,
  lte,
  number,
  personOfEvent,
  selectEvents,
  text,
  timestamp,
} from "../query/build.ts"
import { compileFilters } from "../query/filters/compile.ts"
import type { Expr, Select } from "../query/tree.ts"
import type { CohortContext } from "./compile.ts"
import type { Behavior, EventMatch, Frequency } from "./definition.ts"
import {
  latestAfter,
  listPeriodStarts,
  momentBefore,
  type Range,
  rangeOf,
  spanSeconds,
} from "./windows.ts"

type Of<Value extends Behavior["value"]> = Extract<Behavior, { value: Value }>

interface Question {
  readonly of: EventMatch
  readonly context: CohortContext
}

export function compileBehavior(
  { of, behavior }: { of: EventMatch; behavior: Behavior },
  context: CohortContext,
): Select {
  const question = { of, context }
  switch (behavior.value) {
    case "performed_event":
      return personsOf(question, rangeOf(behavior.window, context))
    case "performed_event_multiple":
      return personsOf(question, rangeOf(behavior.window, context), howOften(behavior.frequency))
    case "performed_event_first_time": {
      const { from, to } = rangeOf(behavior.window, context)
      return personsOf(question, { to }, gte(aggregate("min", at), timestamp(from)))
    }
    case "performed_event_sequence":
      return sequence(question, behavior)
    case "performed_event_regularly":
      return regularly(question, behavior)
    case "stopped_performing_event":
      return stopped(question, behavior)
    case "restarted_performing_event":
      return restarted(question, behavior)
  }
}

const at = column(EVENTS, "timestamp")
const PERSON = { as: "person_id", expr: personOfEvent } as const

function isWithin({ from, to }: Partial<Range>): Expr {
  return and(
    ...(from === undefined ? [] : [gte(at, timestamp(from))]),
    ...(to === undefined ? [] : [lte(at, timestamp(to))]),
  )
}

function matches({ of, context }: Question, range: Partial<Range>): Expr {
  return and(
    eq(column(EVENTS, "event"), text(of.event)),
    isWithin(range),
    compileFilters(of.filters, { ...context, target: "events" }),
  )
}

/** Who did it in the range, and of them those whose events together pass `having`. */
function personsOf(question: Question, range: Partial<Range>, having?: Expr): Select {
  return selectEvents(question.context.project_id, {
    columns: [PERSON],
    where: matches(question, range),
    groupBy: [personOfEvent],
    ...(having === undefined ? {} : { having }),
  })
}

function howOften({ operator, count }: Frequency): Expr {
  return compare(operator, aggregate("count"), number(count))
}

const FIRST = "f"
const NEXT = "n"

/** For each first event, the closest next one strictly after it. */
function sequence(question: Question, { window, next, within }: Of<"performed_event_sequence">) {
  const { context } = question
  const { from, to } = rangeOf(window, context)
  const firstAt = column(FIRST, "at")
  const nextAt = column(NEXT, "at")
  const person = column(FIRST, "person_id")
  return {
    columns: [{ as: "person_id", expr: person }],
    distinct: true,
    from: { kind: "subquery", alias: FIRST, query: momentsOf(question, { from, to }) },
    joins: [
      {
        kind: "closest",
        source: {
          ...{ kind: "subquery", alias: NEXT },
          query: momentsOf({ context, of: next }, { from, to: latestAfter(to, within, context) }),
        },
        keys: [{ left: person, right: column(NEXT, "person_id") }],
        ...{ theirs: nextAt, operator: ">", ours: firstAt },
      },
    ],
    where: lte(call("diffSeconds", firstAt, nextAt), number(spanSeconds(within))),
  } satisfies Select
}

function momentsOf(question: Question, range: Range): Select {
  return selectEvents(question.context.project_id, {
    columns: [PERSON, { as: "at", expr: at }],
    where: matches(question, range),
  })
}

const PERIODS = "q"

/** Persons by period first, so that only periods with enough events are counted. */
function regularly(question: Question, behavior: Of<"performed_event_regularly">): Select {
  const { context } = question
  const { period, totalPeriods, minPeriods, frequency } = behavior
  const starts = listPeriodStarts(period, totalPeriods, context)
  const to = rangeOf({ kind: "last", span: period }, context).to
  const index: Expr = {
    kind: "case",
    branches: starts.map((start, place) => ({
      when: gte(at, timestamp(start)),
      result: number(place),
    })),
    otherwise: number(totalPeriods),
  }
  const byPeriod = selectEvents(context.project_id, {
    columns: [PERSON, { as: "period", expr: index }],
    where: matches(question, { from: starts.at(-1) ?? to, to }),
    groupBy: [personOfEvent, index],
    having: howOften(frequency),
  })
  const person = column(PERIODS, "person_id")
  return {
    columns: [{ as: "person_id", expr: person }],
    from: { kind: "subquery", query: byPeriod, alias: PERIODS },
    groupBy: [person],
    having: gte(aggregate("count"), number(minPeriods)),
  }
}

function stopped(question: Question, { span, recent }: Of<"stopped_performing_event">): Select {
  const { context } = question
  const recentFrom = timestamp(momentBefore(recent, context))
  const range = rangeOf({ kind: "last", span }, context)
  return personsOf(question, range, lt(aggregate("max", at), recentFrom))
}

function restarted(question: Question, { span, recent }: Of<"restarted_performing_event">): Select {
  const { context } = question
  const { from, to } = rangeOf({ kind: "last", span }, context)
  const recentFrom = timestamp(momentBefore(recent, context))
  const isBefore = lt(at, timestamp(from))
  const isRecent = gte(at, recentFrom)
  const isBetween = and(gte(at, timestamp(from)), lt(at, recentFrom))
  const count = (condition: Expr) => aggregateIf(aggregate("count"), condition)
  return personsOf(
    question,
    { to },
    and(
      gt(count(isBefore), number(0)),
      eq(count(isBetween), number(0)),
      gt(count(isRecent), number(0)),
    ),
  )
}
