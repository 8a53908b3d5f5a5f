/** What engines are asked for paths, so that a review shows what changed. */
import { describe, test } from "vitest"
import { paths } from "../../src/insights/paths/paths.ts"
import type { JsonObject } from "../../src/lib/json.ts"
import { expectPrinted, inNewYork, listActors, listAsked } from "./printed.ts"

const RANGE = { dateRange: { date_from: "2026-03-01", date_to: "2026-03-07" } }
const PAGES = { includeEventTypes: ["$pageview"] }

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  pages: { ...RANGE, pathsFilter: PAGES },
  "cleaned-and-grouped": {
    ...RANGE,
    pathsFilter: {
      includeEventTypes: ["$pageview", "custom_event"],
      pathReplacements: true,
      pathGroupings: ["/docs/*"],
      excludeEvents: ["/health"],
    },
  },
  "between-points": {
    ...RANGE,
    pathsFilter: { ...PAGES, startPoint: "/", endPoint: "/pricing", minEdgeWeight: 2 },
  },
  "after-a-step": {
    ...RANGE,
    funnelPathsFilter: {
      funnelPathType: "funnel_path_after_step",
      funnelStep: -2,
      funnelSource: { series: [{ event: "sign up" }, { event: "buy" }], ...RANGE },
    },
  },
}

describe("paths ask an engine", () => {
  test.each(Object.entries(QUESTIONS))("for %s", async (name, asked) => {
    const plan = paths.plan(paths.schema.parse(asked), inNewYork)
    await expectPrinted(`paths/${name}`, listAsked(plan))
  })

  test("for persons who leave", async () => {
    const asked = paths.schema.parse({ ...RANGE, pathsFilter: PAGES })
    const plan = paths.actors(asked, { pathDropoffKey: "2_/pricing" }, inNewYork)
    await expectPrinted("paths/persons-who-leave", listActors(plan))
  })
})
