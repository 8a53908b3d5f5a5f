/**
 * Funnels by looking at every attempt of every actor, one event after another: slow, and easy to believe. Steps and
 * exclusions are tests of events; moments are numbers.
 */
export interface RefEvent {
  readonly at: number
  readonly event: string
  readonly value: string
}

interface RefStep {
  readonly event: string | null
  /** Only events with this value. */
  readonly value: string | null
}

export interface RefFunnel {
  readonly steps: readonly RefStep[]
  readonly order: "ordered" | "strict" | "unordered"
  readonly window: number
  readonly exclusions: readonly {
    readonly event: string
    readonly from: number
    readonly to: number
  }[]
}

/** How far an attempt got, when, and whether an excluded event spoilt it. */
interface RefAttempt {
  readonly moments: readonly number[]
  /** Steps that count for comparison: a spoilt attempt ends with its next step. */
  readonly level: number
  readonly isSpoilt: boolean
}

const isOf = (step: RefStep, event: RefEvent): boolean =>
  (step.event === null || step.event === event.event) &&
  (step.value === null || step.value === event.value)

const covers = (first: RefStep, second: RefStep): boolean =>
  (first.event === null || first.event === second.event) &&
  (first.value === null || first.value === second.value)

/** The best attempt of one actor, or nothing. `events` are all that it did in the range. */
export function bestOf(events: readonly RefEvent[], funnel: RefFunnel): RefAttempt | undefined {
  return chosen(attemptsOf(events, funnel), funnel)
}

/** The furthest; clean before spoilt; then the one that got there first; then the latest, or earliest, start. */
export function chosen(
  attempts: readonly RefAttempt[],
  { order }: Pick<RefFunnel, "order">,
): RefAttempt | undefined {
  const end = ({ moments }: RefAttempt) => moments.at(-1) ?? 0
  const start = ({ moments }: RefAttempt) => moments[0] ?? 0
  const [best] = [...attempts].sort(
    (a, b) =>
      b.level - a.level ||
      Number(a.isSpoilt) - Number(b.isSpoilt) ||
      end(a) - end(b) ||
      (order === "unordered" ? start(a) - start(b) : start(b) - start(a)),
  )
  return best === undefined || best.isSpoilt ? undefined : best
}

export function attemptsOf(events: readonly RefEvent[], funnel: RefFunnel): readonly RefAttempt[] {
  const sorted = [...events].sort((a, b) => a.at - b.at)
  if (funnel.order === "unordered") return unorderedAttempts(sorted, funnel)
  const chains =
    funnel.order === "strict" ? strictChains(sorted, funnel) : orderedChains(sorted, funnel)
  return chains.map((moments) => judged(moments, sorted, funnel))
}

/** Whether an event may take a step after the event of the step before it. */
function mayFollow(
  event: RefEvent,
  index: number,
  { before, steps }: { before: number; steps: readonly RefStep[] },
): boolean {
  const step = steps[index]
  const previous = steps[index - 1]
  if (step === undefined || previous === undefined || !isOf(step, event)) return false
  const couldFillEarlier = steps.slice(0, index).some((each) => isOf(each, event))
  const mustBeLater = couldFillEarlier || covers(step, previous)
  return mustBeLater ? event.at > before : event.at >= before
}

/** From every first step on, the earliest event that may follow, again and again. */
function orderedChains(
  sorted: readonly RefEvent[],
  { steps, window }: RefFunnel,
): readonly (readonly number[])[] {
  const [first] = steps
  if (first === undefined) return []
  return sorted
    .filter((event) => isOf(first, event))
    .map((start) => {
      const moments = [start.at]
      for (let index = 1; index < steps.length; index++) {
        const before = moments.at(-1) ?? 0
        const next = sorted.find((event) => mayFollow(event, index, { before, steps }))
        if (next === undefined || next.at - start.at > window) break
        moments.push(next.at)
      }
      return moments
    })
}

/** Each step is the very next event. Moments are tidied first: see `tidied`. */
function strictChains(
  sorted: readonly RefEvent[],
  { steps, window }: RefFunnel,
): readonly (readonly number[])[] {
  const events = tidied(sorted, steps)
  const [first] = steps
  if (first === undefined) return []
  return events.flatMap((start, place) => {
    if (!isOf(first, start)) return []
    const moments = [start.at]
    for (let index = 1; index < steps.length; index++) {
      const next = events[place + index]
      const before = moments.at(-1) ?? 0
      if (next === undefined || !mayFollow(next, index, { before, steps })) break
      if (next.at - start.at > window) break
      moments.push(next.at)
    }
    return [moments]
  })
}

/**
 * The events of one moment in the order of the first step they fill, each kind once, and those that fill none left
 * out where others fill one.
 */
function tidied(sorted: readonly RefEvent[], steps: readonly RefStep[]): readonly RefEvent[] {
  const fills = (event: RefEvent) => steps.map((step) => isOf(step, event))
  const key = (event: RefEvent) => fills(event).reduce((sum, is, i) => sum + (is ? 2 ** i : 0), 0)
  const firstOf = (event: RefEvent) => {
    const found = fills(event).indexOf(true)
    return found < 0 ? steps.length : found
  }
  const moments = [...new Set(sorted.map(({ at }) => at))]
  return moments.flatMap((at) => {
    const kinds = new Map(sorted.filter((event) => event.at === at).map((e) => [key(e), e]))
    if (kinds.size > 1) kinds.delete(0)
    return [...kinds.values()].sort((a, b) => firstOf(a) - firstOf(b) || key(a) - key(b))
  })
}

function judged(
  moments: readonly number[],
  events: readonly RefEvent[],
  { exclusions, window }: RefFunnel,
): RefAttempt {
  const start = moments[0] ?? 0
  let level = moments.length
  let isSpoilt = false
  for (const { event, from, to } of exclusions) {
    const begin = moments[from]
    if (begin === undefined) continue
    const end = moments[to]
    const spoiling = events.find(
      (each) =>
        each.event === event &&
        each.at > begin &&
        (end === undefined ? each.at - start <= window : each.at < end),
    )
    if (spoiling === undefined) continue
    isSpoilt = true
    const taken = moments.filter((moment) => moment <= spoiling.at).length
    level = Math.min(level, taken + 1)
  }
  return { moments, level, isSpoilt }
}

/** From every event of a step on: a step is taken whenever the events so far can fill one more, each filling one. */
function unorderedAttempts(
  sorted: readonly RefEvent[],
  { steps, window, exclusions }: RefFunnel,
): readonly RefAttempt[] {
  const starts = sorted.filter((event) => steps.some((step) => isOf(step, event)))
  return starts.map((start) => {
    const excluded = sorted.find(
      (event) => event.at > start.at && exclusions.some((each) => each.event === event.event),
    )
    const seen: RefEvent[] = []
    const moments: number[] = []
    for (const event of sorted) {
      if (event.at < start.at || event.at - start.at > window) continue
      if (excluded !== undefined && event.at > excluded.at) continue
      seen.push(event)
      if (countFilled(seen, steps) > moments.length) moments.push(event.at)
    }
    return { moments, level: moments.length, isSpoilt: false }
  })
}

/** The most steps that different events can fill. */
function countFilled(events: readonly RefEvent[], steps: readonly RefStep[]): number {
  const filledBy: (number | undefined)[] = steps.map(() => undefined)
  const place = (event: number, tried: Set<number>): boolean => {
    for (const [index, step] of steps.entries()) {
      const each = events[event]
      if (each === undefined || tried.has(index) || !isOf(step, each)) continue
      tried.add(index)
      const other = filledBy[index]
      if (other === undefined || place(other, tried)) {
        filledBy[index] = event
        return true
      }
    }
    return false
  }
  let count = 0
  for (const event of events.keys()) if (place(event, new Set())) count += 1
  return count
}
