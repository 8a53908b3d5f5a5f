/** Words to a running instance of which the key and the token are known. */
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

export interface Instance {
  readonly address: string
  readonly key: string
  readonly token: string
}

const LOOK_EVERY_MS = 20
const SETTLE_MAX_MS = 10 * 60_000

/** Sends one event and waits until a query finds it: what was acknowledged before it can be found too. */
export async function untilQueryable(instance: Instance): Promise<void> {
  const uuid = randomUUID()
  const event = { api_key: instance.token, uuid, event: "marker", distinct_id: "marker" }
  const body = JSON.stringify(event)
  const { status } = await fetch(`${instance.address}/capture`, { method: "POST", body })
  if (status !== 200) throw new Error(`the marker was answered with ${status}`)
  const begin = performance.now()
  while (performance.now() - begin < SETTLE_MAX_MS) {
    const read = await ask(instance, `/api/projects/@current/events/${uuid}`)
    if (read.status === 200) return
    if (read.status !== 404) throw new Error(`the marker's read answered ${read.status}`)
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error("the marker cannot be found")
}

/** `url` is a path, or the address of a next page. */
export async function ask({ address, key }: Instance, url: string) {
  const begin = performance.now()
  const response = await fetch(new URL(url, address), {
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await response.text()
  return { ms: performance.now() - begin, status: response.status, text }
}

/** All of a list that answers `next` and `results`. */
export async function askAll(instance: Instance, url: string): Promise<unknown[]> {
  const found: unknown[] = []
  for (let next: string | null = url; next !== null; ) {
    const { status, text } = await ask(instance, next)
    if (status !== 200) throw new Error(`${next} answered ${status}: ${text}`)
    const page = JSON.parse(text) as { next: string | null; results: unknown[] }
    found.push(...page.results)
    next = page.next
  }
  return found
}
