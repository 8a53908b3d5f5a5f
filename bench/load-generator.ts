/** Sends the load of a plan from a process of its own; waits for a line on stdin, then prints what it saw. */
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { type Body, makeBodies, renewUuids } from "./bodies.ts"
import { KeepAliveClient } from "./keep-alive-client.ts"
import type { LoadPlan, LoadResult } from "./load-plan.ts"
import { quantile } from "./quantile.ts"

const plan = JSON.parse(process.argv[2] ?? "{}") as LoadPlan
const bodies = makeBodies({ ...plan, eventCount: plan.madeEventCount })
const clients = await Promise.all(
  Array.from({ length: plan.connections }, () => KeepAliveClient.open(plan.address, plan.path)),
)
console.log("ready")
await once(process.stdin, "data")
const begin = performance.now()
const cpuBegin = process.cpuUsage()
const seen = await send()
const seconds = (performance.now() - begin) / 1_000
const { user, system } = process.cpuUsage(cpuBegin)
const result: LoadResult = {
  ...{ eventCount: seen.eventCount, requestCount: seen.latencies.length },
  ...{ failedRequestCount: seen.failedRequestCount, failure: seen.failure, seconds },
  p50Ms: quantile(seen.latencies, 0.5),
  p99Ms: quantile(seen.latencies, 0.99),
  maxMs: quantile(seen.latencies, 1),
  generatorShare: (user + system) / 1e6 / seconds,
}
console.log(JSON.stringify(result))
for (const client of clients) client.close()
process.stdin.destroy()

interface Seen {
  readonly latencies: number[]
  eventCount: number
  failedRequestCount: number
  failure: string | undefined
}

async function send(): Promise<Seen> {
  const seen: Seen = { latencies: [], eventCount: 0, failedRequestCount: 0, failure: undefined }
  const next = createSource()
  await Promise.all(clients.map((client) => sendOn(client, next, seen)))
  return seen
}

interface Due {
  readonly body: Body
  /** When it should go out; latency counts from here, so that waiting for a slow answer is not hidden. */
  readonly atMs: number
}

/** Hands out one body after the other, until all are sent or the time is over. */
function createSource(): () => Due | undefined {
  const { firstNumber, seconds = 0, eventsPerSecond, batchSize } = plan
  let [number, index] = [firstNumber ?? 0, 0]
  const everyMs = eventsPerSecond === undefined ? 0 : (1_000 * batchSize) / eventsPerSecond
  return () => {
    const now = performance.now()
    const isOver = firstNumber === undefined ? index >= bodies.length : now - begin > seconds * 1e3
    const body = bodies[index % bodies.length]
    if (isOver || body === undefined) return undefined
    const atMs = everyMs === 0 ? now : begin + index * everyMs
    index += 1
    if (firstNumber !== undefined) number = renewUuids(body, number)
    return { body, atMs }
  }
}

async function sendOn(
  client: KeepAliveClient,
  next: () => Due | undefined,
  seen: Seen,
): Promise<void> {
  for (let due = next(); due !== undefined; due = next()) {
    const aheadMs = due.atMs - performance.now()
    if (aheadMs > 1) await sleep(aheadMs)
    try {
      const status = await client.post(due.body.bytes)
      seen.latencies.push(performance.now() - due.atMs)
      if (status === 200) seen.eventCount += due.body.eventCount
      else fail(seen, `status ${status}`)
    } catch (error) {
      fail(seen, String(error))
      return
    }
  }
}

function fail(seen: Seen, failure: string): void {
  seen.failedRequestCount += 1
  seen.failure ??= failure
}
