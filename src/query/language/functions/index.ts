/** Every function that users may write. */
import { AGGREGATES } from "./aggregates.ts"
import { ARITHMETIC } from "./arithmetic.ts"
import { ARRAY_EDITS } from "./array-edits.ts"
import { ARRAYS } from "./arrays.ts"
import { BITS } from "./bits.ts"
import { CHOICES } from "./choices.ts"
import { CONVERSION } from "./conversion.ts"
import { DATE_SHIFTS } from "./date-shifts.ts"
import { DATE_STARTS } from "./date-starts.ts"
import { DATES } from "./dates.ts"
import type { LanguageFunction } from "./function.ts"
import { JSON_FUNCTIONS } from "./json.ts"
import { LAMBDAS } from "./lambdas.ts"
import { LOGIC } from "./logic.ts"
import { MATCHES } from "./matches.ts"
import { MATHS } from "./maths.ts"
import { PATTERNS } from "./patterns.ts"
import { ROUNDING } from "./rounding.ts"
import { SPLITTING } from "./splitting.ts"
import { closestName } from "./suggest.ts"
import { TEXT_EDITS } from "./text-edits.ts"
import { TEXTS } from "./texts.ts"
import { TIME_SPANS } from "./time-spans.ts"
import { TUPLES } from "./tuples.ts"
import { URLS } from "./urls.ts"
import { WINDOWS } from "./windows.ts"

export type { LanguageFunction } from "./function.ts"

export const LANGUAGE_FUNCTIONS: readonly LanguageFunction[] = [
  ...LOGIC,
  ...CHOICES,
  ...ARITHMETIC,
  ...MATHS,
  ...ROUNDING,
  ...BITS,
  ...CONVERSION,
  ...DATES,
  ...DATE_STARTS,
  ...DATE_SHIFTS,
  ...TIME_SPANS,
  ...TEXTS,
  ...TEXT_EDITS,
  ...PATTERNS,
  ...MATCHES,
  ...SPLITTING,
  ...ARRAYS,
  ...ARRAY_EDITS,
  ...LAMBDAS,
  ...TUPLES,
  ...JSON_FUNCTIONS,
  ...URLS,
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
