/** A server of this folder that is not our child: what a killed process of ours may have left. */
import { rm } from "node:fs/promises"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { elapsedMs } from "../../lib/clock.ts"
import { StartError } from "../../lib/errors.ts"
import { findCommandLine, isAlive, listProcessesIn } from "../../lib/processes.ts"
import { isErrno, systemCode } from "../../lib/system-error.ts"
import { findPidFile, isServerOf, pidFilePath } from "./pid-file.ts"
import { socketFile } from "./socket-folder.ts"
import { stopInSteps } from "./stop-steps.ts"

const POLL_MS = 15
const SOCKET_ANSWER_MS = 2_000

/**
 * Makes way for a new server: one that an earlier process of ours left running is stopped, and a file left by
 * a dead one is removed when its pid has gone to a stranger, which PostgreSQL would take for the server.
 */
export async function clearEarlierServer(
  dataFolder: string,
  socketFolder: string,
  notice: (line: string) => void,
): Promise<void> {
  const found = await findPidFile(dataFolder)
  if (found === undefined) return
  if (await isServerOf(dataFolder, found.pid)) {
    notice(`stopping the PostgreSQL that an earlier process left running (pid ${found.pid})`)
    await stopServer(dataFolder, found.pid)
    return
  }
  const sockets = [found.socketFolder, socketFolder].map((folder) => socketFile(folder, found.port))
  for (const socket of new Set(sockets)) {
    if (!(await answers(socket))) continue
    throw new StartError(
      `a PostgreSQL of ${dataFolder} is running where this process cannot see it ` +
        `(pid ${found.pid}; another container, or a moved folder): stop it first`,
    )
  }
  if (!isAlive(found.pid)) return
  for (const file of [pidFilePath(dataFolder), ...sockets.map((socket) => `${socket}.lock`)]) {
    await rm(file, { force: true })
  }
}

/** Sessions of a killed server that are too busy to notice; no server starts while they hold its memory. */
export async function endOrphans(dataFolder: string): Promise<void> {
  for (const pid of await listProcessesIn(dataFolder)) {
    const command = await findCommandLine(pid)
    if (command?.startsWith("postgres: ")) sendSignal(pid, "SIGQUIT")
  }
}

async function stopServer(dataFolder: string, pid: number): Promise<void> {
  const isStopped = await stopInSteps(
    (signal) => sendSignal(pid, signal),
    (waitMs) => isGoneWithin(dataFolder, pid, waitMs),
  )
  if (!isStopped)
    throw new StartError(`the PostgreSQL with pid ${pid} does not stop; end it by hand`)
}

/** Asked by its command line, not its pid: an ended process may keep that while nobody collects it. */
async function isGoneWithin(dataFolder: string, pid: number, waitMs: number): Promise<boolean> {
  const deadline = elapsedMs() + waitMs
  while (await isServerOf(dataFolder, pid)) {
    if (elapsedMs() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (cause) {
    if (isErrno(cause, "ESRCH")) return
    throw new StartError(
      `the PostgreSQL with pid ${pid} is another user's and cannot be stopped (${systemCode(cause)})`,
      { cause },
    )
  }
}

async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    const finish = (answer: boolean) => {
      connection.destroy()
      resolve(answer)
    }
    connection.setTimeout(SOCKET_ANSWER_MS, () => finish(true))
    connection.once("connect", () => finish(true))
    connection.once("error", () => finish(false))
  })
}
