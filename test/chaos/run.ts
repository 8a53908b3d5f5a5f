/**
 * The chaos run: a load that goes on, a server that is killed again and again, and at the end the question
 * whether all that was acknowledged is there, once, and every person is right.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { createRandom, type Random } from "../support/random.ts"
import { Arena, type LoadPlan } from "./arena.ts"
import { killAt, MOMENTS, type Moment } from "./moments.ts"

export interface ChaosPlan extends LoadPlan {
  readonly kills: number
  /** How long the load goes on at least. */
  readonly seconds: number
  /** Kinds of moments to kill at; all of them unless told. */
  readonly moments?: readonly Moment[]
}

export type Progress = (line: string) => void

type Kills = Readonly<Partial<Record<Moment, number>>>

export interface ChaosResult {
  readonly violations: readonly string[]
  readonly figures: Readonly<Record<string, number>>
  readonly kills: Kills
  /** What the server logged as errors. */
  readonly complaints: readonly string[]
}

export async function runChaos(plan: ChaosPlan, progress: Progress): Promise<ChaosResult> {
  await using arena = await Arena.open()
  const { server } = arena
  await server.start()
  arena.startLoad(plan)
  const kills = await killOften(plan, arena, progress)
  progress("the load ends")
  const journal = await arena.endLoad()
  const first = await arena.compare(journal)
  progress("an orderly stop, and once more")
  const violations = [...first.violations]
  if (!(await server.stop())) violations.push("the server did not stop in order")
  await server.start()
  const second = await arena.compare(journal)
  violations.push(...second.violations.map((violation) => `after a restart: ${violation}`))
  const figures = {
    ...first.figures,
    "slowest ack, ms": Math.round(journal.slowestAckMs),
    "slowest start, ms": Math.round(server.slowestStartMs),
  }
  arena.isKept = violations.length > 0
  if (arena.isKept) progress(`the data folder is kept: ${arena.folder}`)
  return { violations, figures, kills, complaints: server.complaints }
}

async function killOften(plan: ChaosPlan, { server }: Arena, progress: Progress): Promise<Kills> {
  const random = createRandom(plan.seed)
  const counts: Partial<Record<Moment, number>> = {}
  const begin = performance.now()
  for (let kill = 0; kill < plan.kills; kill++) {
    await sleep(pauseMs(plan, { begin, kill }))
    const moment = await killAt(momentOf(kill, plan, random), server, random)
    counts[moment] = (counts[moment] ?? 0) + 1
    if (!server.isRunning) await server.start()
    progress(`kill ${kill + 1} of ${plan.kills}: ${moment}`)
  }
  await sleep(Math.max(0, plan.seconds * 1_000 - (performance.now() - begin)))
  return counts
}

/** Each kind once, then any of them. */
function momentOf(kill: number, { moments = MOMENTS }: ChaosPlan, random: Random): Moment {
  return moments[kill] ?? random.pick(moments)
}

/** Spreads the kills over the time: how long to wait until the next one is due. */
function pauseMs(plan: ChaosPlan, { begin, kill }: { begin: number; kill: number }): number {
  const dueMs = (plan.seconds * 1_000 * kill) / plan.kills
  return Math.max(0, dueMs - (performance.now() - begin))
}
