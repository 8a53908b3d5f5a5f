/** What was found beside what was sent: violations in words, and figures. */
import { isDeepStrictEqual } from "node:util"
import { groupBy } from "./group-by.ts"
import type { Journal, SentEvent, SentRequest } from "./journal.ts"
import { keyOf, type ModelPerson, possibleWorlds, type World } from "./model.ts"
import type { FoundEvent, FoundPerson } from "./reading.ts"

export interface Found {
  readonly events: readonly FoundEvent[]
  readonly persons: readonly FoundPerson[]
}

export interface Checked {
  readonly violations: readonly string[]
  readonly figures: Readonly<Record<string, number>>
}

export function check(journal: Journal, found: Found): Checked {
  const events = checkEvents(journal, found.events)
  const persons = checkPersons(journal, found.persons)
  return {
    violations: [...events.violations, ...persons.violations],
    figures: { ...events.figures, ...persons.figures },
  }
}

function checkEvents({ requests }: Journal, found: readonly FoundEvent[]): Checked {
  const sent = new Map(requests.flatMap((request) => request.events.map((one) => [one.uuid, one])))
  const counts = new Map<string, number>()
  const violations: string[] = []
  for (const event of found) {
    counts.set(event.id, (counts.get(event.id) ?? 0) + 1)
    const original = sent.get(event.id)
    if (original === undefined) {
      if (event.event !== "marker") violations.push(`event ${event.id} was never sent`)
    } else if (!isSame(original, event)) {
      violations.push(`event ${event.id} is ${show(event)}, sent was ${show(original)}`)
    }
  }
  const acked = requests.filter(({ isAcked }) => isAcked).flatMap(({ events }) => events)
  const lost = acked.filter(({ uuid }) => !counts.has(uuid))
  const doubles = [...counts].filter(([, count]) => count > 1)
  violations.push(...lost.map((event) => `acked event is lost: ${show(event)}`))
  violations.push(...doubles.map(([uuid, count]) => `event ${uuid} is there ${count} times`))
  const figures = {
    "events sent": sent.size,
    "events acked": acked.length,
    "events found": found.length,
    "events lost": lost.length,
    "events doubled": doubles.length,
    "requests sent again": requests.filter((one) => one.isAcked && one.unansweredCount > 0).length,
    "requests given up": requests.filter(({ isAcked }) => !isAcked).length,
  }
  return { violations, figures }
}

function isSame(sent: SentEvent, found: FoundEvent): boolean {
  const isTimeSame =
    sent.timestamp === undefined || Date.parse(sent.timestamp) === Date.parse(found.timestamp)
  return (
    isTimeSame &&
    sent.event === found.event &&
    sent.distinct_id === found.distinct_id &&
    Object.entries(sent.properties).every(([key, value]) =>
      isDeepStrictEqual(found.properties[key], value),
    )
  )
}

function checkPersons({ requests }: Journal, found: readonly FoundPerson[]): Checked {
  const byHousehold = groupBy(requests, ({ household }) => household)
  const foundByHousehold = groupBy(found, (person) => householdOf(person.distinct_ids))
  const violations: string[] = []
  let repeatedCount = 0
  for (const [household, sent] of byHousehold) {
    const world = (foundByHousehold.get(household) ?? []).map(modelOf)
    foundByHousehold.delete(household)
    const worlds = possibleWorlds(sent)
    if (!worlds.some((possible) => keyOf(possible) === keyOf(world))) {
      violations.push(wrongPersons(household, world, worlds))
    } else if (!possibleWorlds(sent.map(once)).some((one) => keyOf(one) === keyOf(world))) {
      repeatedCount += 1
    }
  }
  foundByHousehold.delete("marker")
  for (const [household, persons] of foundByHousehold) {
    violations.push(`persons of nobody (${household}): ${show(persons)}`)
  }
  const uuids = new Set(found.map(({ uuid }) => uuid))
  if (uuids.size !== found.length) violations.push("two persons have one uuid")
  const figures = {
    households: byHousehold.size,
    "persons compared": found.length,
    "households that show a request taken twice": repeatedCount,
  }
  return { violations, figures }
}

/** As if a request that was sent again had been taken no more than once. */
function once(request: SentRequest): SentRequest {
  const { isAcked, unansweredCount } = request
  return { ...request, unansweredCount: isAcked ? 0 : Math.min(1, unansweredCount) }
}

function householdOf(ids: readonly string[]): string {
  return (ids[0] ?? "").replace(/-[a-z]$/, "")
}

function modelOf(person: FoundPerson): ModelPerson {
  return {
    ids: person.distinct_ids,
    isIdentified: person.is_identified,
    createdAt: new Date(person.created_at).toISOString(),
    properties: person.properties,
  }
}

const SHOWN_WORLDS_MAX = 2

function wrongPersons(household: string, found: World, worlds: readonly World[]): string {
  const right = worlds.slice(0, SHOWN_WORLDS_MAX).map((world) => `  expected ${show(world)}`)
  return [
    `persons of ${household} are wrong (${worlds.length} possible worlds):`,
    `  found    ${show(found)}`,
    ...right,
  ].join("\n")
}

const SHOWN_CHARACTERS_MAX = 1_500

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, SHOWN_CHARACTERS_MAX)
}
