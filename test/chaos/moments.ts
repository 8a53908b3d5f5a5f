/**
 * When to kill. Most moments of interest last milliseconds, so they are waited for where they show from outside:
 * in the folder of prepared batches, and in the table of jobs.
 */
import { type FSWatcher, readFileSync, watch } from "node:fs"
import { mkdir } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import postgres from "postgres"
import { connectionOptions, findRunningPostgres } from "../../src/relational/bundled.ts"
import type { Random } from "../support/random.ts"
import type { Server } from "./server.ts"

export const MOMENTS = [
  "any",
  "preparing",
  "committing",
  "appending",
  "appended",
  "squashing",
  "stopping",
  "starting",
  "postgres",
  "postgres connection",
] as const
export type Moment = (typeof MOMENTS)[number]

const WAIT_MAX_MS = 6_000
const ANY_MAX_MS = 800
const STOPPING_MAX_MS = 400
const STARTING_MAX_MS = 1_500

/** How long after the sign the kill comes, at most. */
const AFTER_MS: Readonly<Record<"preparing" | "committing" | "appending" | "appended", number>> = {
  preparing: 4,
  committing: 8,
  appending: 60,
  appended: 6,
}

/**
 * Kills the server at this kind of moment, or the database under it; answers the kind that it was in the end.
 * Afterwards the server may run or not.
 */
export async function killAt(moment: Moment, server: Server, random: Random): Promise<Moment> {
  switch (moment) {
    case "any":
      await sleep(random.integer(0, ANY_MAX_MS))
      break
    case "stopping":
      // DuckDB writes its log into its file when it is closed.
      server.program.child.kill("SIGINT")
      await sleep(random.integer(0, STOPPING_MAX_MS))
      break
    case "starting":
      await server.kill()
      server.spawn()
      await sleep(random.integer(0, STARTING_MAX_MS))
      break
    case "postgres":
    case "postgres connection":
      return killUnder(moment, server, random)
    case "squashing":
      if (!(await untilSquashing(server))) return killAt("any", server, random)
      await sleep(random.integer(0, AFTER_MS.appending))
      break
    default:
      if (!(await untilBatch(moment, server))) return killAt("any", server, random)
      await waitShortly(random.fraction() * AFTER_MS[moment])
  }
  await server.kill()
  return moment
}

const EXIT_MAX_MS = 20_000

/** The database while a batch is committed: all of it, or one connection, after which it recovers by itself. */
async function killUnder(
  moment: "postgres" | "postgres connection",
  server: Server,
  random: Random,
): Promise<Moment> {
  const postgres = await findRunningPostgres({ folder: path.join(server.dataDir, "postgres") })
  if (postgres === undefined) throw new Error("the bundled server does not run")
  await untilBatch("committing", server)
  await waitShortly(random.fraction() * AFTER_MS.committing)
  if (moment === "postgres") {
    process.kill(postgres.pid, "SIGKILL")
    await Promise.race([server.program.ended, sleep(EXIT_MAX_MS)])
    if (server.isRunning) await server.kill()
    return moment
  }
  const [writing] = listWritingConnections(postgres.pid)
  if (writing === undefined) return killAt("any", server, random)
  process.kill(writing, "SIGKILL")
  return moment
}

const WRITING = /\b(COMMIT|INSERT|UPDATE|DELETE|SELECT|idle in transaction)\b/

/** PostgreSQL shows in its processes' names what they do; those that write come first. */
function listWritingConnections(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")
  const named = children
    .trim()
    .split(" ")
    .map((pid) => ({ pid: Number(pid), name: nameOf(pid) }))
  const connections = named.filter(({ name }) => name.includes("[local]"))
  return connections
    .toSorted((left, right) => Number(WRITING.test(right.name)) - Number(WRITING.test(left.name)))
    .map(({ pid }) => pid)
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

/** Timers are too coarse for the shortest moments. */
async function waitShortly(ms: number): Promise<void> {
  const end = performance.now() + ms
  if (ms > 10) await sleep(ms - 5)
  while (performance.now() < end);
}

/** A batch's folder appears, then its manifest, then the folder goes. */
async function untilBatch(moment: keyof typeof AFTER_MS, server: Server): Promise<boolean> {
  const folder = path.join(server.dataDir, "columnar", "staged")
  await mkdir(folder, { recursive: true })
  const watchers: FSWatcher[] = []
  const isSeen = new Promise<boolean>((resolve) => {
    const seen = new Set<string>()
    const watchFolder = (name: string) => {
      if (moment === "preparing") return resolve(true)
      try {
        const inside = watch(path.join(folder, name), (_kind, file) => {
          if (file === "manifest.json" && moment !== "appended") resolve(true)
        })
        inside.on("error", () => {})
        watchers.push(inside)
      } catch {
        // It went before we could look.
      }
    }
    watchers.push(
      watch(folder, (_kind, name) => {
        if (name === null) return
        if (seen.has(name)) return moment === "appended" ? resolve(true) : undefined
        seen.add(name)
        watchFolder(name)
      }),
    )
  })
  const isOver = new AbortController()
  const never = sleep(WAIT_MAX_MS, false, { signal: isOver.signal }).catch(() => false)
  const result = await Promise.race([isSeen, never])
  isOver.abort()
  for (const watcher of watchers) watcher.close()
  return result
}

const JOB_LOOK_MS = 3

/** Makes the job due, restarts the server, which makes up for it, and waits until it runs. */
async function untilSquashing(server: Server): Promise<boolean> {
  await withDatabase(
    server,
    (sql) => sql`
    update job_schedule set last_due_at = last_due_at - interval '1 day'
    where name = 'squash-overrides'`,
  )
  await server.kill()
  const begin = new Date()
  await server.start()
  return withDatabase(server, async (sql) => {
    const end = performance.now() + WAIT_MAX_MS
    while (performance.now() < end) {
      // Those that earlier kills cut short still count as active.
      const rows = await sql`
        select 1 from jobs.job
        where name = 'squash-overrides' and state = 'active' and started_on > ${begin}`
      if (rows.length > 0) return true
      await sleep(JOB_LOOK_MS)
    }
    return false
  })
}

async function withDatabase<T>(
  server: Server,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const folder = path.join(server.dataDir, "postgres")
  const running = await findRunningPostgres({ folder })
  if (running === undefined) throw new Error("the bundled server does not run")
  const sql = postgres({ ...connectionOptions(running), max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
    await running[Symbol.asyncDispose]()
  }
}
