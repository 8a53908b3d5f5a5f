/** The range a question is about. Only "all" has to be looked up. */
import { aggregate, selectEvents } from "../query/build.ts"
import { type DateRange, type Interval, parseDateRange } from "../query/date-range.ts"
import { ask, type InsightContext, type Plan } from "./insight.ts"
import { TIMESTAMP } from "./series.ts"

interface AskedRange {
  readonly dateRange?:
    | {
        readonly date_from?: string | null | undefined
        readonly date_to?: string | null | undefined
      }
    | null
    | undefined
  readonly interval: Interval
}

export function* findRange(
  { dateRange, interval }: AskedRange,
  context: InsightContext,
): Plan<DateRange> {
  const input = { ...dateRange, interval }
  if (input.date_from !== "all") return parseDateRange(input, context)
  const [row] = yield* ask(
    selectEvents(context.project_id, {
      columns: [{ as: "earliest", expr: aggregate("min", TIMESTAMP) }],
    }),
  )
  const earliest = row?.earliest
  return parseDateRange(input, context, typeof earliest === "string" ? earliest : undefined)
}
