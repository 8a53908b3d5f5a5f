/** Whether the types of arguments fit a signature, and the type of the answer. */
import type { ScalarKind, Type } from "../../types.ts"
import type { CountRange, Verdict } from "./function.ts"
import type { ArgumentPattern, Signature, TypePattern } from "./signature.ts"

/** So many arguments, however often one may be repeated. */
const ARGUMENTS_MAX = 1_000

export function countRangeOf({ args }: Signature): CountRange {
  const isOpen = args.some(({ isRepeated }) => isRepeated)
  const min = args.filter(({ isOptional, isRepeated }) => !(isOptional || isRepeated)).length
  return { min, max: isOpen ? ARGUMENTS_MAX : args.length }
}

type Bindings = Map<string, Type>

export function checkTypes(signature: Signature, types: readonly Type[]): Verdict {
  const bound: Bindings = new Map()
  const patterns = alignArguments(signature, types.length)
  for (const [argument, type] of types.entries()) {
    const pattern = patterns[argument]?.pattern
    if (pattern === undefined) continue
    const own = pattern.kind === "lambda" ? pattern.result : pattern
    if (!fits(own, type, bound)) {
      return { problem: `must be ${describePattern(own)}, not ${describeType(type)}`, argument }
    }
  }
  return { type: resultType(signature, types, bound) }
}

/** Of the parameters that the arguments given allow: two arrays give two, one gives one. */
export function lambdaParameterTypes(
  signature: Signature,
  index: number,
  types: readonly (Type | undefined)[],
): readonly Type[] {
  const bound: Bindings = new Map()
  const patterns = alignArguments(signature, types.length)
  for (const [argument, type] of types.entries()) {
    const pattern = patterns[argument]?.pattern
    if (argument !== index && pattern !== undefined && type !== undefined) {
      fits(pattern, type, bound)
    }
  }
  const lambda = signature.args[index]?.pattern
  if (lambda?.kind !== "lambda") return []
  const isGiven = (name: string) => patterns.some((each) => mentions(each?.pattern, name))
  return lambda.parameters
    .filter((parameter) => parameter.kind !== "variable" || isGiven(parameter.name))
    .map((parameter) => typeOf(parameter, bound, []))
}

function mentions(pattern: TypePattern | undefined, name: string): boolean {
  return pattern?.kind === "array" && pattern.of.kind === "variable" && pattern.of.name === name
}

/** The pattern of each argument given. Repeated ones take what is left; the first may be the one left out. */
function alignArguments(
  { args: all }: Signature,
  count: number,
): readonly (ArgumentPattern | undefined)[] {
  const isWithoutFirst = all[0]?.isOptional === true && count < all.length
  const args = isWithoutFirst ? all.slice(1) : all
  const repeated = args.findIndex(({ isRepeated }) => isRepeated)
  const pattern = args[repeated]
  if (pattern === undefined) return args.slice(0, count)
  const after = args.slice(repeated + 1)
  const times = Math.max(0, count - repeated - after.length)
  return [...args.slice(0, repeated), ...Array.from({ length: times }, () => pattern), ...after]
}

function fits(pattern: TypePattern, type: Type, bound: Bindings): boolean {
  if (type.kind === "unknown" || type.kind === "null") {
    if (pattern.kind === "variable" && !bound.has(pattern.name)) bound.set(pattern.name, type)
    return true
  }
  switch (pattern.kind) {
    case "scalar":
      return fitsScalar(pattern.names, type)
    case "variable":
      return fitsVariable(pattern.name, type, bound)
    case "array":
      return type.kind === "array" && fits(pattern.of, type.of, bound)
    case "tuple":
      return type.kind === "tuple" && fitsAll(pattern.items, type.items, bound)
    case "map":
      return (
        type.kind === "map" &&
        fits(pattern.key, type.key, bound) &&
        fits(pattern.value, type.value, bound)
      )
    case "lambda":
      return true
  }
}

function fitsAll(
  patterns: readonly TypePattern[] | undefined,
  types: readonly Type[],
  bound: Bindings,
): boolean {
  if (patterns === undefined) return true
  if (patterns.length !== types.length) return false
  return types.every((type, index) => {
    const pattern = patterns[index]
    return pattern !== undefined && fits(pattern, type, bound)
  })
}

/** The text of JSON is a text. */
const ACCEPTED: Readonly<Record<string, readonly ScalarKind[]>> = {
  number: ["integer", "float"],
  float: ["integer", "float"],
  text: ["text", "json"],
  json: ["text", "json"],
}

function fitsScalar(names: readonly string[], type: Type): boolean {
  return names.some(
    (name) =>
      name === "any" || name === type.kind || ACCEPTED[name]?.some((kind) => kind === type.kind),
  )
}

function fitsVariable(name: string, type: Type, bound: Bindings): boolean {
  const known = bound.get(name)
  const joined = known === undefined ? type : joinTypes(known, type)
  if (joined === undefined) return false
  bound.set(name, joined)
  return true
}

/** The type that holds the values of both, if there is one. */
export function joinTypes(left: Type, right: Type): Type | undefined {
  if (left.kind === "null" || left.kind === "unknown") return asNullable(right)
  if (right.kind === "null" || right.kind === "unknown") return asNullable(left)
  if (left.kind === "array" && right.kind === "array") {
    const of = joinTypes(left.of, right.of)
    return of === undefined ? undefined : { kind: "array", of }
  }
  if (left.kind === "tuple" && right.kind === "tuple") return joinTuples(left.items, right.items)
  if (left.kind === "map" && right.kind === "map") {
    const [key, value] = [joinTypes(left.key, right.key), joinTypes(left.value, right.value)]
    return key === undefined || value === undefined ? undefined : { kind: "map", key, value }
  }
  if (!("isNullable" in left && "isNullable" in right)) return undefined
  const kind = joinKinds(left.kind, right.kind)
  return kind === undefined ? undefined : { kind, isNullable: left.isNullable || right.isNullable }
}

function joinTuples(left: readonly Type[], right: readonly Type[]): Type | undefined {
  if (left.length !== right.length) return undefined
  const items = left.flatMap((item, index) => {
    const other = right[index]
    const joined = other === undefined ? undefined : joinTypes(item, other)
    return joined === undefined ? [] : [joined]
  })
  return items.length === left.length ? { kind: "tuple", items } : undefined
}

const WIDER: ReadonlyMap<string, ScalarKind> = new Map<string, ScalarKind>([
  ["integer float", "float"],
  ["float integer", "float"],
  ["text json", "text"],
  ["json text", "text"],
])

function joinKinds(left: ScalarKind, right: ScalarKind): ScalarKind | undefined {
  return left === right ? left : WIDER.get(`${left} ${right}`)
}

export function asNullable(type: Type): Type {
  return "isNullable" in type ? { ...type, isNullable: true } : type
}

function resultType(signature: Signature, types: readonly Type[], bound: Bindings): Type {
  const type = typeOf(signature.result, bound, types)
  if (!("isNullable" in type)) return type
  if (signature.nullability === "never") return { ...type, isNullable: false }
  const isNullable = signature.nullability === "nullable" || types.some(mayBeNull)
  return { ...type, isNullable: type.isNullable || isNullable }
}

const mayBeNull = (type: Type): boolean => "isNullable" in type && type.isNullable

function typeOf(pattern: TypePattern, bound: Bindings, types: readonly Type[]): Type {
  switch (pattern.kind) {
    case "scalar":
      return { kind: scalarOf(pattern.names, types), isNullable: false }
    case "variable":
      return bound.get(pattern.name) ?? UNKNOWN
    case "array":
      return { kind: "array", of: typeOf(pattern.of, bound, types) }
    case "tuple":
      return {
        kind: "tuple",
        items: (pattern.items ?? []).map((item) => typeOf(item, bound, types)),
      }
    case "map":
      return {
        kind: "map",
        key: typeOf(pattern.key, bound, types),
        value: typeOf(pattern.value, bound, types),
      }
    case "lambda":
      return typeOf(pattern.result, bound, types)
  }
}

const UNKNOWN: Type = { kind: "unknown", isNullable: true }

/** "number" in an answer: whole if all numbers that came in are. */
function scalarOf(names: readonly string[], types: readonly Type[]): ScalarKind {
  const [name] = names
  if (name === "number") return types.every(isWhole) ? "integer" : "float"
  return name === undefined || name === "any" ? "unknown" : (name as ScalarKind)
}

function isWhole(type: Type): boolean {
  return type.kind === "array" ? isWhole(type.of) : type.kind !== "float" && type.kind !== "unknown"
}

function describePattern(pattern: TypePattern): string {
  switch (pattern.kind) {
    case "scalar":
      return pattern.names.join(" or ")
    case "variable":
      return "of the same type as the other arguments"
    case "array":
      return "an array"
    case "tuple":
      return "a tuple"
    case "map":
      return "a map"
    case "lambda":
      return "a lambda"
  }
}

function describeType(type: Type): string {
  return type.kind === "array" ? `array(${describeType(type.of)})` : type.kind
}
