/**
 * The one table of semantic functions: name, number of arguments, meaning. Every printer has an entry for
 * each of them, or it does not compile. Unknown in, unknown out, unless the meaning says otherwise.
 */
import { AGGREGATES } from "./aggregates.ts"
import { ARRAYS } from "./arrays.ts"
import { CONVERSION } from "./conversion.ts"
import { DATES } from "./dates.ts"
import { JSON_TEXTS } from "./json.ts"
import { LOGIC } from "./logic.ts"
import { NUMBERS } from "./numbers.ts"
import { PATTERNS } from "./patterns.ts"
import { TEXTS } from "./texts.ts"
import { WINDOW_FUNCTIONS } from "./windows.ts"

export const FUNCTIONS = {
  ...LOGIC,
  ...NUMBERS,
  ...CONVERSION,
  ...DATES,
  ...TEXTS,
  ...PATTERNS,
  ...ARRAYS,
  ...JSON_TEXTS,
} as const

export type FunctionName = keyof typeof FUNCTIONS
export type AggregateName = keyof typeof AGGREGATES
export type WindowFunctionName = keyof typeof WINDOW_FUNCTIONS

export { AGGREGATES, WINDOW_FUNCTIONS }
