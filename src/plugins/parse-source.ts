/** JavaScript text to a syntax tree, or the place of its first error. */
import { Parser, type Program } from "acorn"

export interface SourceProblem {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
}

export type ParsedSource =
  | { readonly program: Program; readonly problem?: never }
  | { readonly program?: never; readonly problem: SourceProblem }

/**
 * acorn without the checks whose cost grows with the square of the source: names declared twice, exports never
 * declared, the inside of regular expressions. With them 256 KB of names took a minute, without them 0.2 s.
 */
const LinearParser = Parser.extend(
  (Base) =>
    class extends Base {
      declareName(): void {}
      checkLocalExport(): void {}
      validateRegExpPattern(): void {}
    },
)

/** As a module, or where that fails as CommonJS, which allows more; the attempt that got further reports. */
export function parseSource(code: string): ParsedSource {
  const asModule = attempt(code, "module")
  if ("program" in asModule) return asModule
  const asCommonJs = attempt(code, "commonjs")
  if ("program" in asCommonJs) return asCommonJs
  return { problem: (asCommonJs.pos > asModule.pos ? asCommonJs : asModule).problem }
}

type Attempt =
  | { readonly program: Program }
  | { readonly problem: SourceProblem; readonly pos: number }

function attempt(code: string, sourceType: "module" | "commonjs"): Attempt {
  try {
    const program = LinearParser.parse(code, { ecmaVersion: "latest", sourceType })
    return { program }
  } catch (error) {
    return describeFailure(error)
  }
}

/** acorn's errors carry a position and repeat it in their text; what is nested too deeply overflows the stack. */
function describeFailure(error: unknown): Attempt {
  if (error instanceof RangeError) {
    return { problem: { line: 1, column: 1, message: "the source is nested too deeply" }, pos: 0 }
  }
  if (!(error instanceof SyntaxError)) throw error
  const { pos = 0, loc } = error as SyntaxError & {
    readonly pos?: number
    readonly loc?: { readonly line: number; readonly column: number }
  }
  const message = error.message.replace(/ \(\d+:\d+\)$/, "")
  return { problem: { line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1, message }, pos }
}
