/**
 * What a job tells somebody who waits for it in another process: a small file in the data folder, written anew
 * with each message, read and removed by the one who asked.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import type { Clock } from "../lib/clock.ts"
import { DomainError, StartError } from "../lib/errors.ts"
import type { Logger } from "../lib/logger.ts"
import { isErrno } from "../lib/system-error.ts"
import { GiveUp } from "./queue.ts"

/** Part of the payload of every task that reports. */
export const ReportedRun = z.object({
  run_id: z.uuid(),
  /** Afterwards nobody waits for it any more. */
  wanted_until: z.iso.datetime(),
})
export type ReportedRun = z.infer<typeof ReportedRun>

const RunReport = z.object({
  state: z.enum(["running", "done", "failed"]),
  message: z.string(),
})
export type RunReport = z.infer<typeof RunReport>

export interface ReportParts {
  readonly dataDir: string
  readonly clock: Clock
  readonly logger: Logger
}

const FOLDER = "runs"
/** Left behind by commands that were interrupted. */
const KEPT_MS = 24 * 60 * 60 * 1_000

/** Runs `work` and reports what it tells and how it ends. What fails is not tried again: the one who asked knows. */
export async function reportRun(
  parts: ReportParts,
  run: ReportedRun,
  work: (tell: (message: string) => void) => Promise<string>,
): Promise<void> {
  const { dataDir, clock, logger } = parts
  if (new Date(run.wanted_until) < clock.now()) throw new GiveUp("nobody waits for it any more")
  await removeOld(dataDir, clock.now())
  // One after the other: each replaces the one before.
  let last = Promise.resolve()
  const write = (report: RunReport) => {
    last = last
      .then(() => writeReport(dataDir, run.run_id, report))
      .catch((err) => {
        logger.warn({ err }, "the state of a job could not be reported")
      })
    return last
  }
  try {
    await write({ state: "running", message: "" })
    const message = await work((told) => void write({ state: "running", message: told }))
    await write({ state: "done", message })
  } catch (error) {
    await write({ state: "failed", message: shownReason(error) })
    throw new GiveUp("the run that was asked for failed", { cause: error })
  }
}

function shownReason(error: unknown): string {
  if (error instanceof StartError || error instanceof DomainError) return error.message
  return `${error instanceof Error ? error.message : String(error)} (more in the instance's log)`
}

export async function findReport(dataDir: string, runId: string): Promise<RunReport | undefined> {
  try {
    return RunReport.parse(JSON.parse(await readFile(reportFile(dataDir, runId), "utf8")))
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}

export async function removeReport(dataDir: string, runId: string): Promise<void> {
  await rm(reportFile(dataDir, runId), { force: true })
}

function reportFile(dataDir: string, runId: string): string {
  return path.join(dataDir, FOLDER, `${runId}.json`)
}

async function writeReport(dataDir: string, runId: string, report: RunReport): Promise<void> {
  const file = reportFile(dataDir, runId)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, JSON.stringify(report), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function removeOld(dataDir: string, now: Date): Promise<void> {
  const folder = path.join(dataDir, FOLDER)
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now.getTime() }))
    if (now.getTime() - mtimeMs > KEPT_MS) await rm(file, { force: true })
  }
}
