import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { KEY, type Platform, TOKEN } from "./platform.ts"

const LOOK_EVERY_MS = 20
const SETTLE_MAX_MS = 10 * 60_000

/** Sends one event and waits until a query finds it: what was acknowledged before it can be found too. */
export async function untilQueryable({ address }: Platform): Promise<void> {
  const uuid = randomUUID()
  const event = { api_key: TOKEN, uuid, event: "marker", distinct_id: "marker" }
  const body = JSON.stringify(event)
  const { status } = await fetch(`${address}/capture`, { method: "POST", body })
  if (status !== 200) throw new Error(`the marker was answered with ${status}`)
  const begin = performance.now()
  while (performance.now() - begin < SETTLE_MAX_MS) {
    const response = await fetch(`${address}/api/projects/@current/events/${uuid}`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    await response.arrayBuffer()
    if (response.status === 200) return
    if (response.status !== 404) throw new Error(`the marker's read answered ${response.status}`)
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error("the marker cannot be found")
}
