/**
 * The chaos run: a load that goes on, a server that is killed again and again, and at the end the question
 * whether all that was acknowledged is there, once, and every person is right.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { untilQueryable } from "../support/instance.ts"
import { createRandom, type Random } from "../support/random.ts"
import { check, type Found } from "./check.ts"
import { checkCounts, checkFilters } from "./check-queries.ts"
import type { Journal } from "./journal.ts"
import { startLoad } from "./load.ts"
import { killAt, MOMENTS, type Moment } from "./moments.ts"
import { readEvents, readPersons } from "./reading.ts"
import { Server } from "./server.ts"

export interface ChaosPlan {
  readonly kills: number
  /** How long the load goes on at least. */
  readonly seconds: number
  readonly seed: number
  readonly eventsPerSecond: number
  /** Kinds of moments to kill at; all of them unless told. */
  readonly moments?: readonly Moment[]
}

export interface ChaosResult {
  readonly violations: readonly string[]
  readonly figures: Readonly<Record<string, number>>
  readonly kills: Readonly<Partial<Record<Moment, number>>>
  /** Of the server's own output, what it complained about. */
  readonly complaints: readonly string[]
}

const CONNECTIONS = 8

export async function runChaos(
  plan: ChaosPlan,
  progress: (line: string) => void,
): Promise<ChaosResult> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-chaos-"))
  const server = await Server.make(folder)
  let isDone = false
  try {
    const result = await run(plan, { server, folder, progress })
    isDone = result.violations.length === 0
    return result
  } finally {
    if (server.isRunning) await server.stop()
    if (isDone) await rm(folder, { recursive: true, force: true })
    else progress(`the data folder is kept: ${folder}`)
  }
}

interface Run {
  readonly server: Server
  readonly folder: string
  readonly progress: (line: string) => void
}

async function run(plan: ChaosPlan, { server, folder, progress }: Run): Promise<ChaosResult> {
  await server.start()
  const load = startLoad({
    ...{ port: server.port, token: server.instance.token, seed: plan.seed },
    ...{ connections: CONNECTIONS, eventsPerSecond: plan.eventsPerSecond },
    journalFile: path.join(folder, "journal.json"),
  })
  const kills = await killOften(plan, { server, folder, progress })
  progress("the load ends")
  const journal = await load.end()
  const first = await compare(server, journal)
  progress("an orderly stop, and once more")
  const violations = [...first.violations]
  if (!(await server.stop())) violations.push("the server did not stop in order")
  await server.start()
  const second = await compare(server, journal)
  violations.push(...second.violations.map((violation) => `after a restart: ${violation}`))
  const figures = {
    ...first.figures,
    "slowest ack, ms": Math.round(journal.slowestAckMs),
    "slowest start, ms": Math.round(server.slowestStartMs),
  }
  return { violations, figures, kills, complaints: server.complaints }
}

async function killOften(plan: ChaosPlan, { server, progress }: Run) {
  const random = createRandom(plan.seed)
  const counts: Partial<Record<Moment, number>> = {}
  const begin = performance.now()
  for (let kill = 0; kill < plan.kills; kill++) {
    const wanted = momentOf(kill, plan, random)
    await sleep(pauseMs(plan, { begin, kill }))
    const moment = await killAt(wanted, server, random)
    counts[moment] = (counts[moment] ?? 0) + 1
    await server.start()
    progress(`kill ${kill + 1} of ${plan.kills}: ${moment}`)
  }
  await sleep(Math.max(0, plan.seconds * 1_000 - (performance.now() - begin)))
  return counts
}

/** Each kind in turn, in an order of its own every time. */
function momentOf(kill: number, { moments = MOMENTS }: ChaosPlan, random: Random): Moment {
  if (kill < moments.length) return moments[kill] as Moment
  return random.pick(moments)
}

/** Spreads the kills over the time: how long to wait until the next one is due. */
function pauseMs(plan: ChaosPlan, { begin, kill }: { begin: number; kill: number }): number {
  const dueMs = (plan.seconds * 1_000 * kill) / plan.kills
  return Math.max(0, dueMs - (performance.now() - begin))
}

async function compare(server: Server, journal: Journal) {
  const { instance } = server
  await untilQueryable(instance)
  const found: Found = {
    events: await readEvents(instance),
    persons: await readPersons(instance),
  }
  const { violations, figures } = check(journal, found)
  return {
    figures,
    violations: [
      ...violations,
      ...(await checkCounts(instance, found)),
      ...(await checkFilters(instance, found.persons)),
    ],
  }
}
