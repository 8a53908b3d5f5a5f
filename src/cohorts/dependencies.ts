/** Cohorts that are made of cohorts: in which order they are worked out, and that none is made of itself. */

interface Dependent {
  readonly id: number
  readonly depends_on: readonly number[]
}

/** Whether a cohort that depends on `wanted` would, by way of the others, depend on itself. */
export function isLoop(
  id: number,
  wanted: readonly number[],
  others: readonly Dependent[],
): boolean {
  const byId = new Map(others.map((other) => [other.id, other.depends_on]))
  return reach(wanted, (next) => byId.get(next) ?? []).has(id)
}

/** Each after those that it depends on; else in the order given. A loop is cut where it is met. */
export function inOrder<T extends Dependent>(cohorts: readonly T[]): readonly T[] {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]))
  const ordered = new Set<T>()
  const visited = new Set<number>()
  const visit = (cohort: T) => {
    if (visited.has(cohort.id)) return
    visited.add(cohort.id)
    for (const id of cohort.depends_on) {
      const needed = byId.get(id)
      if (needed !== undefined) visit(needed)
    }
    ordered.add(cohort)
  }
  for (const cohort of cohorts) visit(cohort)
  return [...ordered]
}

/** The cohort, all that it depends on, and all that depends on it, in order. */
export function around<T extends Dependent>(id: number, cohorts: readonly T[]): readonly T[] {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]))
  const below = reach([id], (next) => byId.get(next)?.depends_on ?? [])
  const above = reach([id], (next) =>
    cohorts.filter(({ depends_on }) => depends_on.includes(next)).map((cohort) => cohort.id),
  )
  return inOrder(cohorts.filter((cohort) => below.has(cohort.id) || above.has(cohort.id)))
}

function reach(
  start: readonly number[],
  nextOf: (id: number) => readonly number[],
): ReadonlySet<number> {
  const seen = new Set<number>()
  const waiting = [...start]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    waiting.push(...nextOf(id))
  }
  return seen
}
