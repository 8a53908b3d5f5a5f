/** Sends events to the capture endpoint in batches, one after the other: what a person did stays in its order. */
import { setTimeout as sleep } from "node:timers/promises"
import { StartError } from "../lib/errors.ts"
import type { DemoEvent } from "./event.ts"

export interface Sending {
  readonly address: string
  readonly token: string
  readonly onSent: (count: number) => void
}

const BATCH_EVENTS = 1_000
const REQUEST_TIMEOUT_MS = 60_000
const ATTEMPTS_MAX = 8
const RETRY_MIN_MS = 250

/** Answers how many were sent. A batch that is sent twice is stored once: its events have uuids. */
export async function sendEvents(events: Iterable<DemoEvent>, sending: Sending): Promise<number> {
  let count = 0
  // While one is on its way, the next is made.
  let onItsWay = Promise.resolve()
  for (const batch of batchesOf(events, BATCH_EVENTS)) {
    // Without the time of sending: these clocks are right, and much of it is long ago.
    const body = JSON.stringify({ api_key: sending.token, batch })
    await onItsWay
    if (count > 0) sending.onSent(count)
    count += batch.length
    onItsWay = sendBatch(body, sending)
  }
  await onItsWay
  sending.onSent(count)
  return count
}

async function sendBatch(body: string, sending: Sending): Promise<void> {
  let reason = ""
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (attempt > 0) await sleep(RETRY_MIN_MS * 2 ** (attempt - 1))
    const answer = await post(`${sending.address}/batch/`, body)
    if (answer.isTaken) return
    reason = answer.reason
    if (!answer.isWorthRetrying) break
  }
  throw new StartError(`demo: ${sending.address} does not take the events: ${reason}`)
}

async function post(url: string, body: string) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    const isWorthRetrying = response.status >= 500 || response.status === 429
    const reason = `${response.status} ${text.slice(0, 200)}`
    return { isTaken: response.ok, isWorthRetrying, reason }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { isTaken: false, isWorthRetrying: true, reason }
  }
}

function* batchesOf<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
