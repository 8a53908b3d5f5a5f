/** The server as a child of this process: start until it is ready, watch, stop within a bound. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { elapsedMs } from "../../lib/clock.ts"
import { StartError } from "../../lib/errors.ts"
import { dataFolderArguments, findPidFile } from "./pid-file.ts"
import { type RunAs, spawnAs } from "./run-as.ts"
import type { ServerLog } from "./server-log.ts"
import { stopInSteps } from "./stop-steps.ts"

const READY_POLL_MS = 10
/** After a crash the server first replays its log, whose size is bounded by max_wal_size. */
const READY_TIMEOUT_MS = 120_000
const LAST_WORDS_MS = 500

export interface PostmasterPlan {
  readonly postgres: string
  readonly runAs: RunAs
  readonly dataFolder: string
  readonly settings: readonly string[]
  readonly log: ServerLog
  /** Called when a server that was ready ends without being asked to. */
  readonly onExit: (reason: string) => void
}

export class Postmaster {
  readonly #child: ChildProcess
  readonly #plan: PostmasterPlan
  readonly #ended: Promise<void>
  #endReason: string | undefined
  #isEndExpected = true
  #stopping: Promise<void> | undefined

  /** In a session of its own: a terminal's Ctrl-C reaches us alone, and we stop the server in order. */
  constructor(plan: PostmasterPlan) {
    this.#plan = plan
    const command = [plan.postgres, ...dataFolderArguments(plan.dataFolder), ...plan.settings]
    this.#child = spawnAs(plan.runAs, command, {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    })
    this.#child.stderr?.on("data", (chunk: Buffer) => plan.log.add(chunk))
    this.#ended = this.#watch()
    process.once("exit", this.#stopAtExit)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async ready(): Promise<void> {
    const deadline = elapsedMs() + READY_TIMEOUT_MS
    while (this.#endReason === undefined && elapsedMs() < deadline) {
      const found = await findPidFile(this.#plan.dataFolder)
      if (found?.pid === this.pid && found.isReady) {
        this.#isEndExpected = false
        return
      }
      await sleep(READY_POLL_MS)
    }
    if (this.#endReason !== undefined) await this.#ended
    const reason = this.#endReason ?? `not ready after ${READY_TIMEOUT_MS / 1000} seconds`
    await this.stop()
    throw new StartError(`PostgreSQL did not start (${reason}): ${this.#plan.log.tail()}`)
  }

  /** Only once, however often it is asked. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    this.#isEndExpected = true
    if (this.#endReason !== undefined) return
    await stopInSteps(
      (signal) => this.#child.kill(signal),
      (waitMs) => this.#isEndedWithin(waitMs),
    )
  }

  async #isEndedWithin(waitMs: number): Promise<boolean> {
    await settledWithin(this.#ended, waitMs)
    return this.#endReason !== undefined
  }

  async #watch(): Promise<void> {
    const said = once(this.#child, "close").catch(() => {})
    try {
      const [code, signal] = await once(this.#child, "exit")
      this.#endReason = `ended with ${code ?? signal}`
    } catch (error) {
      this.#endReason = String(error)
    }
    // The last words may still be in the pipe; orphans of a killed server may hold it open for long.
    await settledWithin(said, LAST_WORDS_MS)
    this.#child.stderr?.destroy()
    this.#tellEnd(this.#endReason)
  }

  #tellEnd(reason: string): void {
    process.off("exit", this.#stopAtExit)
    if (this.#isEndExpected) return
    this.#plan.onExit(
      `PostgreSQL (pid ${this.pid}) stopped unasked: ${reason}; ${this.#plan.log.tail()}`,
    )
  }

  /** An exit without close still lets the server shut down in order. */
  readonly #stopAtExit = (): void => {
    this.#child.kill("SIGINT")
  }
}

async function settledWithin(work: Promise<unknown>, waitMs: number): Promise<void> {
  const patience = new AbortController()
  const timeout = sleep(waitMs, undefined, { signal: patience.signal }).catch(() => {})
  await Promise.race([work, timeout])
  patience.abort()
}
