/** What can be known of a value by reading the source alone. Nothing is run; what is computed stays unknown. */
import type { AnyNode, ObjectExpression, Property } from "acorn"
import type { JsonValue } from "../lib/json.ts"
import { isStorable } from "./files.ts"

const MAX_HOPS = 16
const MAX_DEPTH = 20
const MAX_PROPERTIES = 10_000

/** The names declared at the top of a module, with what they are declared as. */
export class ModuleScope {
  readonly #declared: ReadonlyMap<string, AnyNode>
  /** Shared by all reads of one module, so that objects spread into objects cannot multiply the work. */
  #propertiesLeft = MAX_PROPERTIES

  constructor(declared: ReadonlyMap<string, AnyNode>) {
    this.#declared = declared
  }

  /** Follows names and assignments to the value they stand for, as far as it is written down. */
  resolve(node: AnyNode): AnyNode {
    let current = node
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const next = this.#step(current)
      if (!next) return current
      current = next
    }
    return current
  }

  /** The properties of an object literal by name; undefined stands for a value that is not written down. */
  *properties(node: AnyNode, depth = 0): Generator<[name: string, value: AnyNode | undefined]> {
    const object = this.resolve(node)
    if (object.type !== "ObjectExpression" || depth > MAX_DEPTH) return
    for (const property of object.properties) {
      if (this.#propertiesLeft-- <= 0) return
      if (property.type === "SpreadElement") {
        yield* this.properties(property.argument, depth + 1)
      } else {
        const name = propertyName(property)
        if (name !== undefined) yield [name, property.kind === "init" ? property.value : undefined]
      }
    }
  }

  /** The value of a literal; undefined when any part of a plain value, or all of it, is computed. */
  evaluate(node: AnyNode, depth = 0): JsonValue | undefined {
    const value = this.resolve(node)
    if (depth > MAX_DEPTH) return undefined
    switch (value.type) {
      case "Literal":
        return literal(value.value)
      case "TemplateLiteral":
        return value.expressions.length === 0 ? literal(value.quasis[0]?.value.cooked) : undefined
      case "UnaryExpression":
        return unary(value.operator, this.evaluate(value.argument, depth + 1))
      case "ArrayExpression":
        return this.#array(value.elements, depth)
      case "ObjectExpression":
        return this.#object(value, depth)
      default:
        return undefined
    }
  }

  #step(node: AnyNode): AnyNode | undefined {
    if (node.type === "Identifier") return this.#declared.get(node.name)
    if (node.type === "AssignmentExpression") return node.right
    return undefined
  }

  #array(elements: readonly (AnyNode | null)[], depth: number): JsonValue {
    const values: JsonValue[] = []
    for (const element of elements) {
      if (this.#propertiesLeft-- <= 0) break
      const value = element ? this.evaluate(element, depth + 1) : null
      if (value !== undefined) values.push(value)
    }
    return values
  }

  #object(object: ObjectExpression, depth: number): JsonValue {
    const entries: [string, JsonValue][] = []
    for (const [name, node] of this.properties(object, depth)) {
      const value = node && this.evaluate(node, depth + 1)
      if (value !== undefined) entries.push([name, value])
    }
    return Object.fromEntries(entries)
  }
}

/** False for what is surely no function; a value that is not written down may be one. */
export function mayBeFunction(value: AnyNode | undefined): boolean {
  switch (value?.type) {
    case "Literal":
    case "TemplateLiteral":
    case "UnaryExpression":
    case "BinaryExpression":
    case "UpdateExpression":
    case "ArrayExpression":
    case "ObjectExpression":
    case "ClassDeclaration":
    case "ClassExpression":
      return false
    case "Identifier":
      return value.name !== "undefined"
    default:
      return true
  }
}

/** The name in `{ name: … }`, `{ "name": … }` or `a.name`, `a["name"]`; undefined when it is computed. */
export function propertyName(property: Pick<Property, "key" | "computed">): string | undefined {
  const { key, computed } = property
  if (key.type === "Identifier" && !computed) return key.name
  if (key.type !== "Literal") return undefined
  const isName = typeof key.value === "string" || typeof key.value === "number"
  return isName && isStorable(`${key.value}`) ? `${key.value}` : undefined
}

function literal(value: unknown): JsonValue | undefined {
  if (typeof value === "string") return isStorable(value) ? value : undefined
  if (value === null || typeof value === "boolean") return value
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** Minifiers write `!0` for true and `-1` is an operator on 1. */
function unary(operator: string, value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "number") return undefined
  if (operator === "-") return -value
  return operator === "!" ? value === 0 : undefined
}
