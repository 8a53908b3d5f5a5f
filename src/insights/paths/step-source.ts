/** Which events are steps of a path, and what each of them shows before it is cleaned and grouped. */
import { invalid } from "../../lib/errors.ts"
import { amongTexts, call, column, EVENTS, eq, not, or, property, text } from "../../query/build.ts"
import type { Expr } from "../../query/tree.ts"
import type { InsightContext } from "../insight.ts"
import type { PathsFilter } from "./question.ts"

const PAGEVIEW = "$pageview"
const SCREEN = "$screen"
/** Every event whose name is an application's own. */
const CUSTOM = "custom_event"
const EXPRESSION = "hogql"
export const EVENT_TYPES = [PAGEVIEW, SCREEN, CUSTOM, EXPRESSION] as const

export interface StepSource {
  /** Conditions on events; none if all are steps. */
  readonly is: readonly Expr[]
  readonly shown: Expr
  /** Whether it shows the address of a page: always, never, or as the event says. */
  readonly isPage: Expr | boolean
}

const EVENT = column(EVENTS, "event")
const isNamed = (name: string): Expr => eq(EVENT, text(name))
const shownProperty = (key: string): Expr => property({ table: EVENTS, of: "event", key })

export function stepSource(filter: PathsFilter, context: InsightContext): StepSource {
  const types = new Set<string>(filter.includeEventTypes ?? [])
  const custom = filter.includeCustomEvents ?? []
  if (types.has(CUSTOM) && custom.length > 0) {
    throw invalid(
      `Paths are of all custom events ("${CUSTOM}") or of those in includeCustomEvents, not of both.`,
      "includeCustomEvents",
    )
  }
  const isOfAll = types.size === 0 && custom.length === 0
  const otherwise = types.has(EXPRESSION) ? expressionOf(filter, context) : EVENT
  const names = [PAGEVIEW, SCREEN].filter((name) => types.has(name))
  // Of all events, those that are excluded by name show it, so that it can be found.
  const showsOwn = (name: string) =>
    isOfAll ? !(filter.excludeEvents ?? []).includes(name) : types.has(name)
  if (!types.has(EXPRESSION) && !types.has(CUSTOM) && custom.length === 0 && names.length === 1) {
    const isPage = types.has(PAGEVIEW)
    const shown = shownProperty(isPage ? "$current_url" : "$screen_name")
    return { is: names.map(isNamed), shown, isPage }
  }
  return {
    is: isOfAll || types.has(EXPRESSION) ? [] : [isAny([...names, ...custom], types.has(CUSTOM))],
    shown: {
      kind: "case",
      branches: [
        ...(showsOwn(PAGEVIEW)
          ? [{ when: isNamed(PAGEVIEW), result: shownProperty("$current_url") }]
          : []),
        ...(showsOwn(SCREEN)
          ? [{ when: isNamed(SCREEN), result: shownProperty("$screen_name") }]
          : []),
      ],
      otherwise,
    },
    isPage: showsOwn(PAGEVIEW) ? isNamed(PAGEVIEW) : false,
  }
}

function isAny(names: readonly string[], withCustom: boolean): Expr {
  const isCustom = not(call("startsWith", EVENT, text("$")))
  if (names.length === 0) return isCustom
  return withCustom ? or(amongTexts(EVENT, names), isCustom) : amongTexts(EVENT, names)
}

function expressionOf({ pathsHogQLExpression }: PathsFilter, context: InsightContext): Expr {
  const expression = pathsHogQLExpression ?? ""
  if (expression.trim() === "") {
    throw invalid(
      `Paths of "${EXPRESSION}" need an expression of what a step shows.`,
      "pathsHogQLExpression",
      "required",
    )
  }
  if (context.compileExpression(expression).isAggregate) {
    throw invalid(
      `"${expression}" aggregates: paths need a value of each event.`,
      "pathsHogQLExpression",
    )
  }
  // The line ends first: the expression may end in a comment.
  return context.compileExpression(`toString(${expression}\n)`).expr
}
