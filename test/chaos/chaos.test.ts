/** The short version of `npm run chaos`. */
import { expect, test } from "vitest"
import { runChaos } from "./run.ts"

const TIMEOUT_MS = 240_000

test(
  "what was acknowledged is there once, and persons are right, after kills at bad moments",
  async () => {
    const plan = { seconds: 3, kills: 4, seed: 11, eventsPerSecond: 800 }
    const moments = ["committing", "appending", "stopping", "any"] as const
    const { violations, figures } = await runChaos({ ...plan, moments }, () => {})
    // One is enough to see what is wrong.
    expect(violations.slice(0, 1), `${violations.length} violations`).toEqual([])
    expect(figures["events acked"]).toBeGreaterThan(0)
    expect(figures["persons compared"]).toBeGreaterThan(1)
  },
  TIMEOUT_MS,
)
