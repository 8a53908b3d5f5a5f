/** Overrides as a map without chains: what an override points to is never itself overridden. */

interface OverrideChange {
  readonly from: string
  readonly to: string
}

/** The map after the changes, in their order. Later ones win; cycles end at the newest target. */
export function withOverrides(
  stored: ReadonlyMap<string, string>,
  changes: readonly OverrideChange[],
): Map<string, string> {
  const map = new Map(stored)
  for (const { from, to } of changes) {
    if (from === to) continue
    const followed = map.get(to) ?? to
    // The target was itself merged into `from` before: now it is the one that lives.
    const target = followed === from ? to : followed
    map.delete(target)
    for (const [old, person] of map) if (person === from) map.set(old, target)
    map.set(from, target)
  }
  return map
}
