import { answerOf, errorOf, type QueryRun } from "../../analysis/background.ts"
import type { Refresh } from "../../analysis/questions.ts"
import { newUuid } from "../../lib/ids.ts"
import { isJsonObject, type JsonObject } from "../../lib/json.ts"
import { AcceptedReply } from "../http/accepted.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { QueryAnswer, QueryDraft, QueryStatus } from "./schema.ts"

const tag = "Query"
const collection = "/api/projects/:project_id/query"
const onePath = `${collection}/:id` as const

const create = endpoint({
  name: "query_create",
  method: "POST",
  path: collection,
  tag,
  summary: "Ask a question: the query language, events, actors or an insight.",
  access: inProject(),
  scope: "query:read",
  readsOnly: true,
  body: QueryDraft,
  reply: QueryAnswer,
  accepted: QueryStatus,

  async handle({ db, services, project, caller, body, whenGone }) {
    const { questions, backgroundQuestions } = services
    const { isAsync, refresh } = refreshOf(body)
    const query = overridden(body)
    const asked = { project_id: project.id, query, refresh }
    if (!isAsync) {
      const id = body.client_query_id ?? undefined
      return QueryAnswer.parse(await questions.answer({ ...asked, id, signal: whenGone() }))
    }
    const known = await questions.findKnown({ ...asked, signal: whenGone() })
    if (known !== undefined) return QueryAnswer.parse(known)
    const id = body.client_query_id ?? newUuid()
    await backgroundQuestions.start(asked, { id, created_by: caller.user.id })
    const run = await backgroundQuestions.get(db, project.id, id)
    return new AcceptedReply(statusOf(run, project.id))
  },
})

const retrieve = endpoint({
  name: "query_retrieve",
  method: "GET",
  path: onePath,
  tag,
  summary: "See how a query stands that was asked to be answered later.",
  access: inProject(),
  scope: "query:read",
  reply: QueryStatus,
  accepted: QueryStatus,

  async handle({ db, services, project, params: { id } }) {
    const run = await services.backgroundQuestions.get(db, project.id, id)
    const error = errorOf(run)
    if (error !== undefined) throw error
    const status = statusOf(run, project.id)
    return run.state === "complete" ? status : new AcceptedReply(status)
  },
})

const remove = endpoint({
  name: "query_destroy",
  method: "DELETE",
  path: onePath,
  tag,
  summary: "Cancel a running query.",
  access: inProject(),
  scope: "query:read",
  reply: null,

  async handle({ db, services, project, params: { id } }) {
    const isBlocking = services.questions.cancel(project.id, id)
    const isLater = await services.backgroundQuestions.cancel(db, project.id, id)
    // One that has ended is as good as cancelled; one that never was is not.
    if (!isBlocking && !isLater) await services.backgroundQuestions.get(db, project.id, id)
  },
})

export const queryEndpoints = [create, retrieve, remove]

function refreshOf({ refresh, async: isAsync }: QueryDraft): {
  readonly isAsync: boolean
  readonly refresh: Refresh
} {
  const isLater = isAsync === true || (typeof refresh === "string" && refresh.endsWith("async"))
  if (refresh === "force_cache") return { isAsync: false, refresh: "cache" }
  const isForced = refresh === true || refresh === "force_blocking" || refresh === "force_async"
  return { isAsync: isLater, refresh: isForced ? "force" : "fresh" }
}

/** A dashboard's filters replace the range of the query and are added to its properties. */
function overridden({ query, filters_override: more }: QueryDraft): JsonObject {
  if (!more) return query
  const { date_from, date_to, properties } = more
  const range = isJsonObject(query.dateRange) ? query.dateRange : {}
  const dateRange = {
    ...range,
    ...(date_from === undefined || date_from === null ? {} : { date_from }),
    ...(date_to === undefined || date_to === null ? {} : { date_to }),
  }
  const isEmpty = properties === undefined || properties === null
  const both = [query.properties ?? [], properties ?? []].map((values) =>
    Array.isArray(values) ? { type: "AND", values } : values,
  )
  return {
    ...query,
    ...(Object.keys(dateRange).length === 0 ? {} : { dateRange }),
    ...(isEmpty ? {} : { properties: { type: "AND", values: both } }),
  }
}

function statusOf(run: QueryRun, projectId: number): QueryStatus {
  const isComplete = run.state !== "running"
  return {
    query_status: {
      id: run.id,
      task_id: run.id,
      team_id: projectId,
      query_async: true,
      complete: isComplete,
      error: run.failure !== null,
      error_message: run.failure?.detail ?? null,
      results: run.state === "complete" ? answerOf(run) : null,
      start_time: run.started_at,
      end_time: run.ended_at,
    },
  }
}
