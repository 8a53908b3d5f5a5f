/** How a breakdown by values reads events and shows what it read; numbers may fall into bins. */
import { invalid } from "../../lib/errors.ts"
import {
  aggregate,
  and,
  eq,
  gte,
  isNotNull,
  isNull,
  lt,
  not,
  number,
  or,
  selectEvents,
  text,
} from "../../query/build.ts"
import type { Expr } from "../../query/tree.ts"
import {
  type BreakdownPart,
  breakdownNumber,
  breakdownValue,
  hasBreakdownValue,
  isNumberBreakdown,
  NO_VALUE,
} from "../breakdown.ts"
import { type AnswerRow, ask, type InsightContext, type Plan } from "../insight.ts"
import { isInScope, type Member, type Scope } from "./cells.ts"
import type { Axis } from "./ranking.ts"

/** What stands in no bin. */
const NO_BIN = '["",""]'
/** The last bin ends so much above the largest number, which it holds. */
const LAST_BIN_EXCESS = 0.01

/** `member` is the series whose numbers make the bins, where there are any. */
export function* readAxes(
  parts: readonly BreakdownPart[],
  member: Member,
  scope: Scope,
): Plan<readonly Axis[]> {
  const axes: Axis[] = []
  for (const part of parts) {
    axes.push(
      part.binCount === undefined
        ? plainAxis(part, scope.context)
        : yield* binAxis(part, member, scope),
    )
  }
  return axes
}

function plainAxis(part: BreakdownPart, context: InsightContext): Axis {
  const expr = breakdownValue(part, context)
  const show = (value: unknown) =>
    value === null || value === undefined || value === "" ? NO_VALUE : String(value)
  return { expr, type: isNumberBreakdown(part) ? "number" : "text", show }
}

function* binAxis(part: BreakdownPart, member: Member, scope: Scope): Plan<Axis> {
  const value = breakdownNumber(part, scope.context)
  const [row] = yield* ask(
    selectEvents(scope.context.project_id, {
      columns: [
        { as: "least", expr: aggregate("min", value) },
        { as: "most", expr: aggregate("max", value) },
      ],
      where: isInScope(member, scope),
    }),
  )
  const edges = listEdges(row, part.binCount ?? 1)
  const labels = edges.slice(1).map((edge, index) => `[${edges[index]},${edge}]`)
  return {
    expr: binOf(value, edges),
    type: "number",
    show: (bin) => (typeof bin === "number" ? (labels[bin] ?? NO_BIN) : NO_BIN),
  }
}

/** Bins of the same width from the smallest number to the largest, in hundredths; equal edges are one. */
function listEdges(row: AnswerRow | undefined, binCount: number): readonly number[] {
  const { least, most } = row ?? {}
  if (typeof least !== "number" || typeof most !== "number") return []
  const width = (most - least) / binCount
  const inner = Array.from({ length: binCount - 1 }, (_, index) =>
    roundedDown(least + (index + 1) * width),
  )
  const last = Math.round((most + LAST_BIN_EXCESS) * 100) / 100
  return [...new Set([roundedDown(least), ...inner, Math.max(last, most)])]
}

const roundedDown = (value: number): number => {
  const rounded = Math.round(value * 100) / 100
  return rounded <= value ? rounded : Math.floor(value * 100) / 100
}

function binOf(value: Expr, edges: readonly number[]): Expr {
  const uppers = edges.slice(1, -1)
  const none: Expr = { kind: "value", value: { type: "null" } }
  return {
    kind: "case",
    branches: [
      { when: isNull(value), result: none },
      ...uppers.map((edge, index) => ({ when: lt(value, number(edge)), result: number(index) })),
    ],
    otherwise: number(uppers.length),
  }
}

/** Whether an event has these values, one for each part, as they are shown. */
export function hasShownValues(
  parts: readonly BreakdownPart[],
  shown: readonly string[],
  context: InsightContext,
): Expr {
  if (shown.length !== parts.length) {
    throw invalid(`The breakdown has ${parts.length} values, not ${shown.length}.`, "breakdown")
  }
  return and(
    ...parts.map((part, index) => {
      const value = shown[index] ?? ""
      if (part.binCount === undefined) return hasBreakdownValue(part, value, context)
      return isInBin(breakdownNumber(part, context), value)
    }),
  )
}

const BIN = /^\[(-?[\d.e+-]+),(-?[\d.e+-]+)\]$/i

function isInBin(value: Expr, shown: string): Expr {
  if (shown === NO_BIN || shown === NO_VALUE) return isNull(value)
  const match = BIN.exec(shown)
  const [low, high] = [Number(match?.[1]), Number(match?.[2])]
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    throw invalid(`"${shown}" is no bin: write one like [10,17.5].`, "breakdown")
  }
  return and(isNotNull(value), gte(value, number(low)), lt(value, number(high)))
}

/** Whether an event has none of these combinations of values. */
export function hasOtherValues(
  axes: readonly Axis[],
  combinations: readonly (readonly unknown[])[],
): Expr {
  const hasAll = (values: readonly unknown[]) =>
    and(...axes.map((axis, index) => hasValue(axis, values[index])))
  return not(or(...combinations.map(hasAll)))
}

function hasValue({ expr, type }: Axis, value: unknown): Expr {
  if (type === "text") return eq(expr, text(String(value ?? "")))
  return typeof value === "number" ? and(isNotNull(expr), eq(expr, number(value))) : isNull(expr)
}
