/**
 * A lively sample: visitors of a small product over some weeks, as the events that SDKs would have sent, in the
 * order of time. Seed, count, days and end fix every byte of it.
 *   1. Visitors are drawn, each from a stream of their own, until their journeys have as many steps as asked for.
 *   2. Day by day, the visitors who come that day are drawn again, now with all their steps, and the steps of
 *      the day are sorted. So only what is still to come is in memory, not the whole sample.
 */
import { derivedUuid, sha256Hex } from "../lib/ids.ts"
import { type Calendar, createCalendar, DAY_MS } from "./calendar.ts"
import { type DemoEvent, eventOf } from "./event.ts"
import { journeyOf, type Step } from "./journey.ts"
import { createRandom, seedNumber } from "./random.ts"
import { createVisitor, type Visitor } from "./visitor.ts"

export interface DemoPlan {
  readonly count: number
  readonly seed: string
  readonly end: Date
  readonly days: number
}

export function* demoEvents(plan: DemoPlan): Generator<DemoEvent> {
  const calendar = createCalendar(plan.end.getTime(), plan.days)
  const seed = seedNumber(plan.seed)
  const seedHex = sha256Hex(`${plan.seed} ${plan.end.toISOString()}`)
  let index = 0
  for (const { visitor, step } of stepsInOrder(plan.count, seed, calendar)) {
    const uuid = derivedUuid(step.at, seedHex, index)
    yield { uuid, timestamp: new Date(step.at).toISOString(), ...eventOf(visitor, step) }
    index += 1
  }
}

interface VisitorStep {
  readonly visitor: Visitor
  readonly step: Step
}

function* stepsInOrder(count: number, seed: number, calendar: Calendar): Generator<VisitorStep> {
  const dayIndexOf = (at: number) => Math.floor((at - calendar.startMs) / DAY_MS)
  const { arrivals, lastStepCount } = drawArrivals(count, seed, calendar)
  const arrivingOn = groupBy([...arrivals.keys()], (index) => dayIndexOf(arrivals[index] as number))
  const ahead = new Map<number, VisitorStep[]>()
  const lastDayIndex = dayIndexOf(calendar.endMs)
  for (let day = 0; day <= lastDayIndex; day++) {
    for (const index of arrivingOn.get(day) ?? []) {
      const { visitor, steps } = drawVisitor(index, seed, calendar)
      const isLast = index === arrivals.length - 1
      for (const step of isLast ? steps.slice(0, lastStepCount) : steps) {
        pushTo(ahead, dayIndexOf(step.at), { visitor, step })
      }
    }
    yield* (ahead.get(day) ?? []).sort(byTime)
    ahead.delete(day)
  }
}

/** Ties go by visitor and keep each visitor's own order: sorting is stable. */
function byTime(a: VisitorStep, b: VisitorStep): number {
  return a.step.at - b.step.at || a.visitor.index - b.visitor.index
}

/** When each visitor comes, and how many steps of the last one complete the count. */
function drawArrivals(count: number, seed: number, calendar: Calendar) {
  const arrivals: number[] = []
  let lastStepCount = 0
  for (let left = count; left > 0; left -= lastStepCount) {
    const { steps } = drawVisitor(arrivals.length, seed, calendar)
    lastStepCount = Math.min(left, steps.length)
    arrivals.push(steps[0]?.at ?? calendar.endMs)
  }
  return { arrivals, lastStepCount }
}

function drawVisitor(index: number, seed: number, calendar: Calendar) {
  const random = createRandom(seed, index)
  const visitor = createVisitor(index, random)
  return { visitor, steps: journeyOf(visitor, calendar, random) }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) pushTo(groups, keyOf(item), item)
  return groups
}

function pushTo<T>(groups: Map<number, T[]>, key: number, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
