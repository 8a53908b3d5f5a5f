/** The known name that was probably meant. */

/** Longer names are compared by their beginnings: nobody mistypes the rest alone. */
const COMPARED_MAX_CHARACTERS = 60

export function suggestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, COMPARED_MAX_CHARACTERS).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.floor(wanted.length / 3) + 1
  for (const candidate of known) {
    const distance = distanceOf(wanted, candidate.slice(0, COMPARED_MAX_CHARACTERS).toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** How many letters must be added, left out or changed. */
function distanceOf(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let at = 1; at <= b.length; at++) {
      const changed = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1)
      current.push(Math.min(changed, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1))
    }
    above = current
  }
  return above[b.length] ?? 0
}
