/** Other misfortunes than a kill of the program, each a story of its own with the same comparison at the end. */
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { findRunningPostgres } from "../../src/relational/bundled.ts"
import { Arena, type LoadPlan } from "./arena.ts"

interface Outcome {
  readonly violations: readonly string[]
  /** What was seen, in a line; undefined when the machine does not let us try. */
  readonly seen: string | undefined
}

export interface Scenario {
  readonly name: string
  run(plan: LoadPlan): Promise<Outcome>
}

const QUIET_MS = 2_000
const EXIT_MAX_MS = 20_000

const postgresKilled: Scenario = {
  name: "PostgreSQL is killed",
  async run(plan) {
    await using arena = await Arena.open()
    const { server } = arena
    await server.start()
    arena.startLoad(plan)
    await sleep(QUIET_MS)
    const postgres = await findRunningPostgres({ folder: path.join(server.dataDir, "postgres") })
    if (postgres === undefined) throw new Error("the bundled server does not run")
    process.kill(postgres.pid, "SIGKILL")
    const exitCode = await Promise.race([
      server.program.ended.then(({ code }) => code),
      sleep(EXIT_MAX_MS, undefined),
    ])
    if (exitCode !== undefined) await server.start()
    await sleep(QUIET_MS)
    const journal = await arena.endLoad()
    const { violations, figures } = await arena.compare(journal)
    const fate = exitCode === undefined ? "went on by itself" : `ended with ${exitCode}`
    return {
      violations,
      seen: `the program ${fate}; ${figures["events acked"]} events acked, ${figures["events lost"]} lost`,
    }
  },
}

const LOG_DISK_MB = 96
const COLUMNAR_DISK_MB = 256

const logDiskFull: Scenario = {
  name: "the disk of the log is full",
  run: (plan) => onSmallDisk(plan, { folder: "log", sizeMb: LOG_DISK_MB, isRefusalDue: true }),
}

const columnarDiskFull: Scenario = {
  name: "the disk of the columnar store is full",
  run: (plan) =>
    onSmallDisk(plan, { folder: "columnar", sizeMb: COLUMNAR_DISK_MB, isRefusalDue: false }),
}

export const scenarios: readonly Scenario[] = [postgresKilled, logDiskFull, columnarDiskFull]

interface SmallDisk {
  /** Of the data folder. */
  readonly folder: string
  readonly sizeMb: number
  /** Capture must answer 503 while the disk is full. */
  readonly isRefusalDue: boolean
}

async function onSmallDisk(plan: LoadPlan, disk: SmallDisk): Promise<Outcome> {
  await using arena = await Arena.open()
  const { server } = arena
  const mount = path.join(server.dataDir, disk.folder)
  mkdirSync(mount, { recursive: true, mode: 0o700 })
  using small = mountSmall(mount, disk.sizeMb)
  if (small === undefined) return { violations: [], seen: undefined }
  await server.start()
  arena.startLoad(plan)
  await sleep(QUIET_MS)
  const filler = path.join(mount, "filler")
  fill(filler, mount)
  await sleep(2 * QUIET_MS)
  const isAlive = server.isRunning
  rmSync(filler)
  if (!isAlive) await server.start()
  await sleep(QUIET_MS)
  const journal = await arena.endLoad()
  const { violations, figures } = await arena.compare(journal)
  const told = { ...journal.statusCounts }
  const unexpected = Object.keys(told).filter((status) => !["200", "503"].includes(status))
  const more = isAlive ? [] : ["the program ended"]
  if (unexpected.length > 0) more.push(`unexpected outcomes: ${JSON.stringify(told)}`)
  if (disk.isRefusalDue && told["503"] === undefined) more.push("capture never answered 503")
  if (!(await server.stop())) more.push("the server did not stop in order")
  const counts = `${told["200"] ?? 0} answers of 200, ${told["503"] ?? 0} of 503`
  return {
    violations: [...violations, ...more],
    seen: `${counts}; ${figures["events acked"]} events acked, ${figures["events lost"]} lost`,
  }
}

function mountSmall(folder: string, sizeMb: number): Disposable | undefined {
  try {
    const words = ["-t", "tmpfs", "-o", `size=${sizeMb}m,mode=700`, "tmpfs", folder]
    execFileSync("/bin/mount", words, { stdio: "ignore" })
  } catch {
    return undefined
  }
  return { [Symbol.dispose]: () => execFileSync("/bin/umount", ["--lazy", folder]) }
}

const PIECE_BYTES = 1024 * 1024

/** Takes every byte that is left. */
function fill(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const piece = Buffer.alloc(PIECE_BYTES)
  writeFileSync(file, "")
  for (const size of [PIECE_BYTES, 4_096]) {
    try {
      for (let left = bavail * bsize; left > 0; left -= size) {
        writeFileSync(file, piece.subarray(0, size), { flag: "a" })
      }
    } catch {
      // Full for pieces of this size.
    }
  }
}
