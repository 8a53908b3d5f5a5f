/** Groups of functions from short entries: what an entry does not say follows from its signature. */
import { FUNCTIONS, type FunctionName } from "../../functions/index.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { checkTypes, countRangeOf, lambdaParameterTypes } from "./check-types.ts"
import type {
  CallParts,
  CountRange,
  LanguageFunction,
  LoweringContext,
  Verdict,
} from "./function.ts"
import { parseSignature, type Signature } from "./signature.ts"

export interface Definition {
  readonly signature: string
  readonly meaning: string
  readonly example?: readonly [string, unknown]
  readonly params?: CountRange
  /** Where the signature can not say the type of the answer. */
  readonly typeOf?: (types: readonly Type[]) => Verdict
  /** Without it, the primitive of the same name. */
  readonly lower?: (call: CallParts, context: LoweringContext) => Expr
}

const NO_PARAMS: CountRange = { min: 0, max: 0 }

export function defineGroup(
  { group, kind }: Pick<LanguageFunction, "group" | "kind">,
  definitions: Readonly<Record<string, Definition>>,
): readonly LanguageFunction[] {
  return Object.entries(definitions).map(([name, definition]) =>
    define({ name, group, kind }, definition),
  )
}

function define(
  head: Pick<LanguageFunction, "name" | "group" | "kind">,
  definition: Definition,
): LanguageFunction {
  const { signature: written, meaning, example, typeOf, params = NO_PARAMS } = definition
  const signature = parseSignature(written)
  return {
    ...head,
    signature: written.replaceAll("!", ""),
    meaning,
    ...(example === undefined ? {} : { example }),
    args: countRangeOf(signature),
    params,
    ...lambdaOf(signature),
    check(types) {
      const verdict = checkTypes(signature, types)
      return "problem" in verdict || typeOf === undefined ? verdict : typeOf(types)
    },
    lower: definition.lower ?? lowerToPrimitive(head.name),
  }
}

function lambdaOf(signature: Signature): Pick<LanguageFunction, "lambda"> {
  const index = signature.args.findIndex(({ pattern }) => pattern.kind === "lambda")
  if (index < 0) return {}
  const parameterTypes = (types: readonly (Type | undefined)[]) =>
    lambdaParameterTypes(signature, index, types)
  return { lambda: { index, parameterTypes } }
}

function lowerToPrimitive(name: string): LanguageFunction["lower"] {
  if (!isPrimitive(name)) throw new Error(`${name} is no primitive: say how it is lowered`)
  return ({ args, types }) => ({ kind: "call", name, args, types })
}

const isPrimitive = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name)
