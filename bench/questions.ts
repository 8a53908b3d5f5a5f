/** Queries that run beside a load, as somebody with an open page would ask them. */
import { setTimeout as sleep } from "node:timers/promises"
import { ask } from "../test/support/instance.ts"
import type { Platform } from "./platform.ts"
import { quantile } from "./quantile.ts"

const QUESTIONS = [
  "/api/projects/@current/events?limit=100",
  "/api/projects/@current/events?event=purchase&limit=100",
  "/api/projects/@current/persons?limit=100",
  "/api/projects/@current/persons?search=user_1@",
]
const PAUSE_MS = 100

export interface Latencies {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface Answers {
  readonly url: string
  readonly latencies: Latencies
  readonly errorCount: number
}

export async function askWhile<T>(
  platform: Platform,
  work: () => Promise<T>,
): Promise<{ result: T; answers: readonly Answers[] }> {
  const stopping = new AbortController()
  const asking = QUESTIONS.map((url) => askOften(platform, url, stopping.signal))
  try {
    const result = await work()
    stopping.abort()
    return { result, answers: await Promise.all(asking) }
  } finally {
    stopping.abort()
  }
}

async function askOften(platform: Platform, url: string, signal: AbortSignal): Promise<Answers> {
  const times: number[] = []
  let errorCount = 0
  while (!signal.aborted) {
    const { ms, status } = await ask(platform, url)
    times.push(ms)
    if (status !== 200) errorCount += 1
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
  return { url, latencies: latenciesOf(times), errorCount }
}

export function latenciesOf(times: readonly number[]): Latencies {
  return {
    count: times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: quantile(times, 1),
  }
}
