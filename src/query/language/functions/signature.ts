/**
 * Signatures such as "(array(T), integer?, text...) -> array(T)" as data. "?" after an argument: may be left out;
 * "..." after it: any number, also none; "?" after the answer: may be null; "!" after it: never null, whatever
 * comes in. Otherwise the answer may be null where an argument may. "(T) -> U" as an argument is a lambda.
 */
export type TypePattern =
  | { readonly kind: "scalar"; readonly names: readonly string[] }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "array"; readonly of: TypePattern }
  | { readonly kind: "tuple"; readonly items: readonly TypePattern[] | undefined }
  | { readonly kind: "map"; readonly key: TypePattern; readonly value: TypePattern }
  | {
      readonly kind: "lambda"
      readonly parameters: readonly TypePattern[]
      readonly result: TypePattern
    }

export interface ArgumentPattern {
  readonly pattern: TypePattern
  readonly isOptional: boolean
  readonly isRepeated: boolean
}

export interface Signature {
  readonly args: readonly ArgumentPattern[]
  readonly result: TypePattern
  readonly nullability: "asArguments" | "nullable" | "never"
}

const SCALARS: ReadonlySet<string> = new Set([
  "text",
  "integer",
  "float",
  "number",
  "boolean",
  "moment",
  "date",
  "uuid",
  "json",
  "any",
])
const VARIABLES: ReadonlySet<string> = new Set(["T", "U", "V"])

export function parseSignature(text: string): Signature {
  const reader: Reader = { tokens: text.match(/[A-Za-z]+|->|\.\.\.|[(),?!|]/g) ?? [], at: 0 }
  const args = readArguments(reader)
  expectToken(reader, "->")
  const result = readPattern(reader)
  const mark = reader.tokens[reader.at]
  if (mark === "?" || mark === "!") reader.at += 1
  if (reader.at < reader.tokens.length) throw new Error(`"${text}" is no signature`)
  const nullability = mark === "?" ? "nullable" : mark === "!" ? "never" : "asArguments"
  return { args, result, nullability }
}

interface Reader {
  readonly tokens: readonly string[]
  at: number
}

function take(reader: Reader): string {
  const token = reader.tokens[reader.at]
  if (token === undefined) throw new Error(`a signature ends early: ${reader.tokens.join(" ")}`)
  reader.at += 1
  return token
}

function expectToken(reader: Reader, wanted: string): void {
  const token = take(reader)
  if (token !== wanted) {
    throw new Error(`a signature has "${token}" for "${wanted}": ${reader.tokens.join(" ")}`)
  }
}

function readArguments(reader: Reader): readonly ArgumentPattern[] {
  expectToken(reader, "(")
  const args: ArgumentPattern[] = []
  while (reader.tokens[reader.at] !== ")") {
    if (args.length > 0) expectToken(reader, ",")
    const pattern = readPattern(reader)
    const mark = reader.tokens[reader.at]
    if (mark === "?" || mark === "...") reader.at += 1
    args.push({ pattern, isOptional: mark === "?", isRepeated: mark === "..." })
  }
  reader.at += 1
  return args
}

function readPattern(reader: Reader): TypePattern {
  if (reader.tokens[reader.at] === "(") {
    const parameters = readArguments(reader).map(({ pattern }) => pattern)
    expectToken(reader, "->")
    return { kind: "lambda", parameters, result: readPattern(reader) }
  }
  const name = take(reader)
  if (name === "array") return { kind: "array", of: readItems(reader)[0] ?? ANY }
  if (name === "map") {
    const [key = ANY, value = ANY] = readItems(reader)
    return { kind: "map", key, value }
  }
  if (name === "tuple") {
    const isOpen = reader.tokens[reader.at] !== "("
    return { kind: "tuple", items: isOpen ? undefined : readItems(reader) }
  }
  if (VARIABLES.has(name)) return { kind: "variable", name }
  return readScalars(reader, name)
}

const ANY: TypePattern = { kind: "scalar", names: ["any"] }

const readItems = (reader: Reader): readonly TypePattern[] =>
  readArguments(reader).map(({ pattern }) => pattern)

function readScalars(reader: Reader, first: string): TypePattern {
  const names = [first]
  while (reader.tokens[reader.at] === "|") {
    reader.at += 1
    names.push(take(reader))
  }
  const odd = names.find((name) => !SCALARS.has(name))
  if (odd !== undefined) throw new Error(`a signature has an unknown type "${odd}"`)
  return { kind: "scalar", names }
}
