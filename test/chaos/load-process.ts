/**
 * The clients, in a process of their own: several connections, each with households of its own. What is not
 * answered is sent again with the same uuids, or now and then given up. Told to end by a line on stdin, it
 * brings its last requests through and writes the journal.
 */
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { createRandom, type Random } from "../support/random.ts"
import { HouseholdScript } from "./household.ts"
import type { SentEvent, SentRequest } from "./journal.ts"
import type { LoadSettings } from "./load.ts"
import { Sender } from "./sender.ts"

const HOUSEHOLD_EVENTS_MAX = 40
const PAUSE_MAX_MS = 20
const RETRY_MS = 25
const GIVE_UP_SHARE = 0.05

const settings = JSON.parse(process.argv[2] ?? "{}") as LoadSettings
const requests: SentRequest[] = []
const statusCounts: Record<string, number> = {}
let slowestAckMs = 0
let isEnding = false
void once(process.stdin, "data").then(() => {
  isEnding = true
})

const startMs = Date.now() - 60 * 60 * 1_000
await Promise.all(Array.from({ length: settings.connections }, (_, lane) => runLane(lane)))
writeFileSync(settings.journalFile, JSON.stringify({ requests, statusCounts, slowestAckMs }))
console.log("done")
process.stdin.destroy()

async function runLane(lane: number): Promise<void> {
  const random = createRandom(settings.seed * 1_000 + lane)
  using sender = new Sender(settings.port)
  for (let number = 0; !isEnding; number++) {
    const household = new HouseholdScript(`s${settings.seed}-l${lane}-h${number}`, random, startMs)
    while (!isEnding && household.eventCount < HOUSEHOLD_EVENTS_MAX) {
      const events = household.next(sizeOf(random))
      const request = await bringThrough(sender, events, random)
      requests.push({ household: household.name, events, ...request })
      if (request.isAcked) household.acked(events)
      // Each lane its share of the load: bounded, whatever the server could take.
      const shareMs = (1_000 * events.length * settings.connections) / settings.eventsPerSecond
      await sleep(shareMs + random.integer(0, PAUSE_MAX_MS))
    }
  }
}

function sizeOf(random: Random): number {
  if (random.chance(0.5)) return 1
  return random.chance(0.7) ? random.integer(2, 20) : random.integer(20, 100)
}

async function bringThrough(sender: Sender, events: readonly SentEvent[], random: Random) {
  for (let unansweredCount = 0; ; ) {
    const begin = performance.now()
    const outcome = await sender.send(settings.token, events)
    statusCounts[outcome] = (statusCounts[outcome] ?? 0) + 1
    if (outcome === "200") {
      slowestAckMs = Math.max(slowestAckMs, performance.now() - begin)
      return { unansweredCount, isAcked: true }
    }
    if (outcome !== "not sent") {
      unansweredCount += 1
      if (random.chance(GIVE_UP_SHARE)) return { unansweredCount, isAcked: false }
    }
    await sleep(RETRY_MS)
  }
}
