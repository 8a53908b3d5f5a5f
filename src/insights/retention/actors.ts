/** Those of one row, who returned most often first. */
import { invalid } from "../../lib/errors.ts"
import type { ActorSource, InsightContext, Plan } from "../insight.ts"
import { type Retention, readQuestion, type SelectedRow } from "./question.ts"
import { actorsOfRow } from "./returns.ts"

// biome-ignore lint/correctness/useYield: the port is a plan, and this one needs no rows.
export function* findActors(
  asked: Retention,
  { interval }: SelectedRow,
  context: InsightContext,
): Plan<ActorSource> {
  const question = readQuestion(asked, context)
  const rows = question.buckets.startsMs.length
  const row = interval ?? 0
  if (row >= rows) {
    throw invalid(
      `There is no interval ${row}: they are numbered from 0 to ${rows - 1}.`,
      "interval",
    )
  }
  const { aggregation_group_type_index: group } = asked
  return {
    query: actorsOfRow(question, row, context),
    actor: typeof group === "number" ? { kind: "group", index: group } : { kind: "person" },
    extras: ["appearances", "appearance_count"],
    orderBy: [{ column: "appearance_count", direction: "desc" }],
  }
}
