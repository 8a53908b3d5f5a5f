/** Each insight, asked by its kind. */
import { INSIGHTS } from "../../insights/index.ts"
import type { Insight } from "../../insights/insight.ts"
import type { JsonObject } from "../../lib/json.ts"
import { contextFor, runPlan } from "../desk.ts"
import { type Kind, parseAsked } from "./kind.ts"

export const insightKinds: readonly Kind[] = INSIGHTS.map((insight) =>
  kindOf(insight as unknown as Insight<unknown, unknown>),
)

function kindOf(insight: Insight<unknown, unknown>): Kind {
  return {
    names: [insight.kind],
    async answer(asked, desk): Promise<JsonObject> {
      const question = parseAsked(insight.schema, asked)
      const context = await contextFor(desk, asked)
      return runPlan(insight.plan(question, context), desk)
    },
  }
}

export function findInsight(kind: unknown): Insight<unknown, unknown> | undefined {
  const found = INSIGHTS.find((insight) => insight.kind === kind)
  return found as unknown as Insight<unknown, unknown> | undefined
}
