/**
 * Which bracket closes which, known before parsing: the parser sees past a bracket in one step, never
 * recurses deeper than brackets may nest, and goes on behind a bracket whose inside it could not read.
 */
import type { Problem } from "./problems.ts"
import { CLOSING_OF, type Token } from "./tokens.ts"

/** The worst texts of so many levels take about half of the stack that Node has by default. */
export const NESTING_MAX_LEVELS = 100

const OPENING_OF = new Map([...CLOSING_OF].map(([opening, closing]) => [closing, opening]))

export interface Brackets {
  /** Index of an opening token to that of its closing one, where both are there. */
  readonly closingOf: ReadonlyMap<number, number>
  /** Indexes of closing tokens that belong to an opening one. */
  readonly paired: ReadonlySet<number>
  readonly problems: readonly Problem[]
}

export function matchBrackets(tokens: readonly Token[]): Brackets {
  const closingOf = new Map<number, number>()
  const problems: Problem[] = []
  const open: number[] = []
  const openCounts = new Map<string, number>()
  const close = () => {
    const index = open.pop() ?? 0
    const sign = tokens[index]?.text ?? ""
    openCounts.set(sign, (openCounts.get(sign) ?? 0) - 1)
    return { index, sign }
  }
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "sign") continue
    if (CLOSING_OF.has(token.text)) {
      if (open.length === NESTING_MAX_LEVELS) return { ...tooDeep(token), closingOf }
      open.push(index)
      openCounts.set(token.text, (openCounts.get(token.text) ?? 0) + 1)
    }
    const wanted = OPENING_OF.get(token.text)
    if (wanted === undefined) continue
    if ((openCounts.get(wanted) ?? 0) === 0) {
      problems.push(strayProblem(token, wanted))
      continue
    }
    let closed = close()
    for (; closed.sign !== wanted; closed = close()) {
      problems.push(unclosedProblem(tokens[closed.index], token))
    }
    closingOf.set(closed.index, index)
  }
  for (const index of open) problems.push(unclosedProblem(tokens[index]))
  return { closingOf, paired: new Set(closingOf.values()), problems }
}

function tooDeep(token: Token): Pick<Brackets, "paired" | "problems"> {
  const message = `Brackets are nested deeper than ${NESTING_MAX_LEVELS} levels.`
  return { paired: new Set(), problems: [{ code: "too_complex", message, span: spanOf(token) }] }
}

function strayProblem(token: Token, opening: string): Problem {
  const message = `This ${token.text} closes nothing: no ${opening} is open.`
  return { code: "syntax_error", message, span: spanOf(token) }
}

function unclosedProblem(token: Token | undefined, found?: Token): Problem {
  const opening = token?.text ?? ""
  const before = found === undefined ? "" : ` before the next ${found.text}`
  return {
    code: "syntax_error",
    message: `The ${opening} that is opened here is never closed${before}.`,
    span: spanOf(token ?? { start: 0, end: 0 }),
    suggestion: `Close it with ${CLOSING_OF.get(opening)}.`,
  }
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { start, end }
}
