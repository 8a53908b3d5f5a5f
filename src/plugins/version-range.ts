/**
 * Version requirements as they are written in plugin.json: comparators with <, <=, >, >=, =, ==, !=, ^, ~ and ~=,
 * joined by spaces or commas, alternatives by ||, `1.2 - 1.4`, and x or * for "any".
 */

const MAX_RANGE_CHARS = 200
const VERSION = String.raw`v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?(?:[-+][0-9a-z.+-]*)?`
const COMPARATOR = new RegExp(`^(>=|<=|==|!=|~=|>|<|=|\\^|~)?${VERSION}$`, "i")
const HYPHEN = new RegExp(`(${VERSION})\\s+-\\s+(${VERSION})`, "gi")
const HYPHEN_TO_GROUP = 5

type Version = readonly [major: number, minor: number, patch: number]
type Check = (version: Version) => boolean

/** Whether the version is in the range; undefined when the range cannot be read. */
export function isInRange(version: string, range: string): boolean | undefined {
  const parts = partsOf(COMPARATOR.exec(version)?.slice(2) ?? [])
  if (range.length > MAX_RANGE_CHARS || parts.length !== 3) return undefined
  const alternatives = range.split("||").map(parseComparators)
  if (alternatives.includes(undefined)) return undefined
  return alternatives.some((checks) => checks?.every((check) => check(floor(parts))))
}

function parseComparators(text: string): readonly Check[] | undefined {
  const spelledOut = text.replace(HYPHEN, (...groups: string[]) => {
    return `>=${groups[1]} <=${groups[HYPHEN_TO_GROUP]}`
  })
  const words = spelledOut.replace(/([<>=!^~])\s+/g, "$1").match(/[^\s,]+/g)
  if (!words) return undefined
  const checks: Check[] = []
  for (const word of words) {
    const check = parseComparator(word)
    if (!check) return undefined
    checks.push(check)
  }
  return checks
}

function parseComparator(word: string): Check | undefined {
  const match = COMPARATOR.exec(word)
  if (!match) return undefined
  const parts = partsOf(match.slice(2))
  const from = floor(parts)
  const past = next(parts)
  const isAtLeast = (version: Version) => compare(version, from) >= 0
  const isBelow = (version: Version, limit: Version) => compare(version, limit) < 0
  switch (match[1]) {
    case ">=":
      return isAtLeast
    case ">":
      return (version) => !isBelow(version, past)
    case "<":
      return (version) => isBelow(version, from)
    case "<=":
      return (version) => isBelow(version, past)
    case "!=":
      return (version) => !isAtLeast(version) || !isBelow(version, past)
    case "^":
      return (version) => isAtLeast(version) && isBelow(version, next(caretParts(parts)))
    case "~":
      return (version) => isAtLeast(version) && isBelow(version, next(parts.slice(0, 2)))
    case "~=": {
      const held = parts.slice(0, Math.max(1, parts.length - 1))
      return (version) => isAtLeast(version) && isBelow(version, next(held))
    }
    default:
      return (version) => isAtLeast(version) && isBelow(version, past)
  }
}

/** The parts that are given: `1.x` has one, `*` none. */
function partsOf(groups: readonly (string | undefined)[]): number[] {
  const parts: number[] = []
  for (const group of groups.slice(0, 3)) {
    if (group === undefined || !/^\d/.test(group)) break
    parts.push(Number(group))
  }
  return parts
}

function floor([major = 0, minor = 0, patch = 0]: readonly number[]): Version {
  return [major, minor, patch]
}

/** The first version that is past everything the given parts stand for. */
function next(parts: readonly number[]): Version {
  const [major, minor, patch] = parts
  if (major === undefined) return [Number.POSITIVE_INFINITY, 0, 0]
  if (minor === undefined) return [major + 1, 0, 0]
  return patch === undefined ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

/** A caret holds everything up to and including the first part that is not zero. */
function caretParts(parts: readonly number[]): readonly number[] {
  const firstIndex = parts.findIndex((part) => part !== 0)
  return firstIndex === -1 ? parts : parts.slice(0, firstIndex + 1)
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
