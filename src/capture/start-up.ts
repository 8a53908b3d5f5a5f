/** The routes that SDKs ask when they start. */
import type { Answer } from "./answers.ts"
import { isWellFormedToken, parseToken } from "./envelope.ts"
import {
  checkFlagsDistinctId,
  configAnswer,
  decideAnswer,
  extensionAnswer,
  flagsAnswer,
  parseFlagsQuestion,
} from "./flags.ts"
import { findField } from "./form.ts"
import { parseBounded } from "./json-text.ts"
import { refusal } from "./refusal.ts"
import { getProject, payloadOf, tokenOfQuery, type Visit, withBody } from "./visit.ts"

export function answerFlags(visit: Visit): Promise<Answer> {
  return withBody(visit, async (body) => {
    const { query, route } = visit.found
    const { value, formToken } = await readQuestion(visit, body)
    const question = parseFlagsQuestion(value, query)
    await getProject(visit, parseToken(question.token ?? formToken ?? tokenOfQuery(query)))
    checkFlagsDistinctId(value, query)
    if (route.kind === "decide") return decideAnswer(question)
    return flagsAnswer(question, visit.parts.clock.now().getTime())
  })
}

/** All of the question may stand in the query. */
async function readQuestion(visit: Visit, body: Buffer) {
  if (body.length === 0 && findField(visit.found.query, "data") === undefined) {
    return { value: {}, formToken: undefined }
  }
  const { json, formToken } = await payloadOf(visit, body)
  return { value: parseBounded(json.toString("utf8")), formToken }
}

export async function answerConfig({ parts, found }: Visit): Promise<Answer> {
  const { token = "", isScript } = found
  const project = isWellFormedToken(token) ? await parts.projects.find(token) : undefined
  if (project === undefined) throw refusal("not_found", "No project has this token.")
  return configAnswer(token, isScript)
}

export async function answerExtension(): Promise<Answer> {
  return extensionAnswer()
}
