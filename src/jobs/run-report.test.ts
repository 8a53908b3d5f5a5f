import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FixedClock } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import { openLogger } from "../lib/logger.ts"
import { GiveUp } from "./queue.ts"
import { findReport, removeReport, reportRun } from "./run-report.ts"

const clock = new FixedClock("2026-03-02T10:00:00Z")
const logger = openLogger({ form: "json", level: "silent" })
let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hedgerow-run-"))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

function newRun() {
  return { run_id: newUuid(), wanted_until: "2026-03-02T10:01:00Z" }
}

describe("the report of a run", () => {
  test("tells where it is, and ends with what came of it", async () => {
    const run = newRun()
    expect(await findReport(dataDir, run.run_id)).toBeUndefined()
    await reportRun({ dataDir, clock, logger }, run, async (tell) => {
      tell("half of it")
      await expect
        .poll(() => findReport(dataDir, run.run_id))
        .toEqual({ state: "running", message: "half of it" })
      tell("nearly all")
      return "all of it"
    })
    expect(await findReport(dataDir, run.run_id)).toEqual({ state: "done", message: "all of it" })
    await removeReport(dataDir, run.run_id)
    expect(await findReport(dataDir, run.run_id)).toBeUndefined()
  })

  test("of one that fails says why, and the queue does not try it again", async () => {
    const run = newRun()
    const failing = reportRun({ dataDir, clock, logger }, run, async () => {
      throw new StartError("the folder is not empty")
    })
    await expect(failing).rejects.toThrow(GiveUp)
    const report = { state: "failed", message: "the folder is not empty" }
    expect(await findReport(dataDir, run.run_id)).toEqual(report)
  })

  test("is not made for a run that nobody waits for any more", async () => {
    const run = { ...newRun(), wanted_until: "2026-03-02T09:59:59Z" }
    const late = reportRun({ dataDir, clock, logger }, run, async () => "done all the same")
    await expect(late).rejects.toThrow(GiveUp)
    expect(await findReport(dataDir, run.run_id)).toBeUndefined()
  })
})
