/** How deep a tree is: long chains of operators nest without brackets, and everyone else recurses. */
import type { Span } from "./ast.ts"
import type { Problem } from "./problems.ts"

const TREE_MAX_LEVELS = 300

interface Place {
  readonly value: unknown
  readonly level: number
}

/** The first place below which the tree has too many levels. Walks without recursion. */
export function findTooDeep(tree: unknown): Problem | undefined {
  const places: Place[] = [{ value: tree, level: 0 }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, level } = place
    if (typeof value !== "object" || value === null) continue
    const isNode = "span" in value
    if (isNode && level >= TREE_MAX_LEVELS) return tooDeep(value.span as Span)
    const inner = isNode ? level + 1 : level
    for (const child of Object.values(value)) places.push({ value: child, level: inner })
  }
  return undefined
}

function tooDeep(span: Span): Problem {
  const message = `The query has more than ${TREE_MAX_LEVELS} levels; long chains of operators count.`
  return { code: "too_complex", message, span }
}
