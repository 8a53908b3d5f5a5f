/** The name that was probably meant. */

const DISTANCE_MAX = 2

export function closestName(written: string, names: readonly string[]): string | undefined {
  const folded = written.toLowerCase()
  const allowed = Math.min(DISTANCE_MAX, Math.floor(written.length / 2))
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(folded, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort(
      (left, right) =>
        left.distance - right.distance ||
        sharedStart(folded, right.name) - sharedStart(folded, left.name),
    )
  return ranked[0]?.name
}

function sharedStart(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]?.toLowerCase()) length += 1
  return length
}

/** How many characters must be added, removed or changed. */
function distanceOf(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > DISTANCE_MAX) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? Number.POSITIVE_INFINITY
}
