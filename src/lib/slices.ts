/** Cuts a list so that no slice weighs more than allowed; what is too heavy by itself goes alone. */
export function* slicesWithin<T>(
  items: Iterable<T>,
  maxWeight: number,
  weigh: (item: T) => number,
): Generator<readonly T[]> {
  let slice: T[] = []
  let weight = 0
  for (const item of items) {
    const own = weigh(item)
    if (slice.length > 0 && weight + own > maxWeight) {
      yield slice
      slice = []
      weight = 0
    }
    slice.push(item)
    weight += own
  }
  if (slice.length > 0) yield slice
}
