/** What is wrong with a text of the query language, without running it. */
import { z } from "zod"
import { checkQuery } from "../../query/language/compile.ts"
import type { Problem } from "../../query/language/problems.ts"
import { type Kind, parseAsked } from "./kind.ts"
import { languageContextFor } from "./language-query.ts"

const Metadata = z.object({ query: z.string() })

export const metadata: Kind = {
  names: ["HogQLMetadata"],

  async answer(asked, desk) {
    const { query } = parseAsked(Metadata, asked)
    const { problems, compiled } = checkQuery(query, await languageContextFor(asked, desk))
    return {
      query,
      isValid: problems.length === 0 && compiled !== undefined,
      errors: problems.map(noticeOf),
      warnings: [],
      notices: [],
    }
  },
}

const noticeOf = ({ message, code, span, suggestion }: Problem) => ({
  message,
  code,
  start: span.start,
  end: span.end,
  fix: suggestion ?? null,
})
