/** Every function that users may write. */
import { AGGREGATES } from "./aggregates.ts"
import { ARITHMETIC } from "./arithmetic.ts"
import { BITS } from "./bits.ts"
import { CONVERSION } from "./conversion.ts"
import type { LanguageFunction } from "./function.ts"
import { LOGIC } from "./logic.ts"
import { MATHS } from "./maths.ts"
import { closestName } from "./suggest.ts"
import { WINDOWS } from "./windows.ts"

export type { CallParts, LanguageFunction, LoweringContext } from "./function.ts"

export const LANGUAGE_FUNCTIONS: readonly LanguageFunction[] = [
  ...LOGIC,
  ...ARITHMETIC,
  ...MATHS,
  ...BITS,
  ...CONVERSION,
  ...AGGREGATES,
  ...WINDOWS,
]

const BY_NAME = new Map(LANGUAGE_FUNCTIONS.map((each) => [each.name, each]))

/** Upper and lower case matter. */
export function findLanguageFunction(name: string): LanguageFunction | undefined {
  return BY_NAME.get(name)
}

/** The name that was probably meant. */
export function suggestFunction(name: string): string | undefined {
  return closestName(name, [...BY_NAME.keys()])
}
