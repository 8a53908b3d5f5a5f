import { setTimeout as sleep } from "node:timers/promises"
import { type App, openApp } from "../app.ts"
import { readConfig } from "../config.ts"
import { elapsedMs } from "../lib/clock.ts"
import { openLogger } from "../lib/logger.ts"
import type { Command } from "./command.ts"
import { firstStartBox } from "./first-start-box.ts"

/** After this long an orderly stop has failed. */
const STOP_TIMEOUT_MS = 15_000

export const start: Command = {
  name: "start",
  usage: "start",
  summary: "Run the platform until Ctrl-C.",

  async run() {
    const config = readConfig()
    const logger = openLogger({ form: config.log, level: config.logLevel })
    const stopped = untilStopped()
    const app = await openApp({ config, logger, onFailure: stopped.fail })
    if (app.firstStart !== undefined) console.log(firstStartBox(app.firstStart, shownAddress(app)))
    logger.info({ address: shownAddress(app), ms: Math.round(elapsedMs()) }, "Hedgerow is ready")
    const { reason, exitCode } = await stopped.promise
    logger.info({ reason }, "stopping")
    return Promise.race([stop(app, exitCode), sleep(STOP_TIMEOUT_MS, 1, { ref: false })])
  },
}

async function stop(app: App, exitCode: number): Promise<number> {
  await app.close()
  return exitCode
}

function shownAddress(app: App): string {
  return app.services.config.siteUrl ?? app.address
}

interface Stop {
  readonly reason: string
  readonly exitCode: number
}

function untilStopped() {
  let resolve: (stop: Stop) => void = () => {}
  const promise = new Promise<Stop>((settle) => {
    resolve = settle
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => resolve({ reason: signal, exitCode: 0 }))
  }
  return { promise, fail: (reason: string) => resolve({ reason, exitCode: 1 }) }
}
