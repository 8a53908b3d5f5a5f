/** Paths reckoned by loops over each person's events. Slow and plain. */
import type { InsightData, InsightEvent } from "../../support/insight-store.ts"

export interface PlainQuestion {
  /** Moments, both included. */
  readonly from: string
  readonly to: string
  readonly types: readonly string[]
  readonly customs: readonly string[]
  readonly excluded: readonly string[]
  readonly groupings: readonly string[]
  readonly cleaning: readonly { readonly regex: string; readonly alias: string }[]
  readonly start: string | null
  readonly end: string | null
  readonly stepLimit: number
  readonly edgeLimit: number | null
  readonly minWeight: number | null
  readonly maxWeight: number | null
}

interface PlainEdge {
  readonly source: string
  readonly target: string
  readonly value: number
  readonly average_conversion_time: number
}

interface Step {
  readonly item: string
  readonly ms: number
}

interface PlainPath {
  readonly person: string
  readonly steps: readonly Step[]
}

export function referencePaths(data: InsightData, question: PlainQuestion): readonly PlainEdge[] {
  const times = new Map<string, number[]>()
  for (const { steps } of listPaths(data, question)) {
    steps.forEach((step, index) => {
      const before = steps[index - 1]
      if (before === undefined) return
      const key = JSON.stringify([`${index}_${before.item}`, `${index + 1}_${step.item}`])
      times.set(key, [...(times.get(key) ?? []), step.ms - before.ms])
    })
  }
  const edges = [...times].map(([key, all]): PlainEdge => {
    const [source, target] = JSON.parse(key) as [string, string]
    const total = all.reduce((sum, each) => sum + each, 0)
    return { source, target, value: all.length, average_conversion_time: total / all.length }
  })
  const { minWeight, maxWeight, edgeLimit, start, end } = question
  const limit = edgeLimit ?? (start !== null && end !== null ? Number.POSITIVE_INFINITY : 50)
  const kept = edges
    .filter(({ value }) => value >= (minWeight ?? 0) && value <= (maxWeight ?? value))
    .sort((a, b) => b.value - a.value || order(a.source, b.source) || order(a.target, b.target))
    .slice(0, limit)
  return minWeight === null && maxWeight === null ? kept.filter(isReached(kept)) : kept
}

/** Whether edges that are kept lead from some first step to it. */
function isReached(kept: readonly PlainEdge[]) {
  const isLedTo = (node: string): boolean =>
    node.startsWith("1_") || kept.some(({ source, target }) => target === node && isLedTo(source))
  return ({ source }: PlainEdge) => isLedTo(source)
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Who comes to a step, goes on from it, or has it as the last. */
export function referenceActors(
  data: InsightData,
  question: PlainQuestion,
  selected: { readonly role: "start" | "end" | "dropoff"; readonly key: string },
): readonly string[] {
  const found = listPaths(data, question).filter(({ steps }) =>
    steps.some((step, index) => {
      if (`${index + 1}_${step.item}` !== selected.key) return false
      if (selected.role === "end") return true
      return (steps[index + 1] !== undefined) === (selected.role === "start")
    }),
  )
  return [...new Set(found.map(({ person }) => person))].sort()
}

export function listPaths(data: InsightData, question: PlainQuestion): readonly PlainPath[] {
  const becomes = new Map((data.merged ?? []).map(({ from, into }) => [from, into]))
  const personOf = (event: InsightEvent) => becomes.get(event.person) ?? event.person
  const persons = [...new Set(data.events.map(personOf))]
  return persons.flatMap((person) => {
    const steps = data.events
      .filter((event) => personOf(event) === person)
      .filter(({ at }) => at >= question.from && at <= question.to)
      .flatMap((event) => stepOf(event, question))
      .sort((a, b) => a.ms - b.ms)
    return parted(steps)
      .map(withoutRepeats)
      .flatMap((path) => cut(path, question))
      .map((kept) => ({ person, steps: kept }))
  })
}

function stepOf(event: InsightEvent, question: PlainQuestion): readonly Step[] {
  const { types, customs, excluded, groupings, cleaning } = question
  const isAll = types.length === 0 && customs.length === 0
  const isWanted =
    isAll ||
    types.includes(event.event) ||
    customs.includes(event.event) ||
    (types.includes("custom_event") && !event.event.startsWith("$"))
  if (!isWanted) return []
  let item = event.event
  const isNamed = isAll && excluded.includes(event.event)
  if (event.event === "$pageview" && !isNamed) {
    item = String(event.properties?.$current_url ?? "")
    if (item.length > 1 && item.endsWith("/")) item = item.slice(0, -1)
  }
  if (event.event === "$screen" && !isNamed) item = String(event.properties?.$screen_name ?? "")
  for (const { regex, alias } of cleaning) item = item.replaceAll(new RegExp(regex, "g"), alias)
  item = groupings.find((grouping) => isFound(grouping, item)) ?? item
  return excluded.includes(item) ? [] : [{ item, ms: Date.parse(event.at) }]
}

/** Whether the parts between the stars come one after another in the item. */
function isFound(grouping: string, item: string): boolean {
  let rest = item
  for (const part of grouping.split("*")) {
    const place = rest.indexOf(part)
    if (place < 0) return false
    rest = rest.slice(place + part.length)
  }
  return true
}

function parted(steps: readonly Step[]): readonly (readonly Step[])[] {
  const paths: Step[][] = []
  let last: Step | undefined
  for (const step of steps) {
    if (last === undefined || step.ms - last.ms >= 30 * 60_000) paths.push([])
    paths.at(-1)?.push(step)
    last = step
  }
  return paths
}

const withoutRepeats = (path: readonly Step[]): readonly Step[] =>
  path.filter((step, index) => path[index + 1]?.item !== step.item)

/** No path at all where it lacks a point. */
function cut(path: readonly Step[], question: PlainQuestion): readonly (readonly Step[])[] {
  const { start, end, stepLimit } = question
  let steps = path
  if (start !== null) {
    const first = steps.findIndex(({ item }) => item === start)
    if (first < 0) return []
    steps = steps.slice(first)
  }
  if (end !== null) {
    const last = steps.findIndex(({ item }) => item === end)
    if (last < 0) return []
    steps = steps.slice(0, last + 1)
  }
  if (steps.length <= stepLimit) return [steps]
  if (end === null) return [steps.slice(0, stepLimit)]
  if (start === null) return [steps.slice(steps.length - stepLimit)]
  const half = Math.floor(stepLimit / 2)
  const gap = { item: "...", ms: steps[half]?.ms ?? 0 }
  return [[...steps.slice(0, half), gap, ...steps.slice(steps.length - half)]]
}
