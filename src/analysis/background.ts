/**
 * Questions that are answered later: worked out by the node that was asked, kept in PostgreSQL, so that every node
 * can tell how they stand and cancel them.
 */
import { DomainError, type ErrorKind, invalid, notFound } from "../lib/errors.ts"
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"
import type { Logger } from "../lib/logger.ts"
import { type Database, type Db, first } from "../relational/db.ts"
import type { Asked, Questions } from "./questions.ts"

const ALIVE_EVERY_MS = 1_000
/** Whoever has not been heard of for so long is dead. */
const DEAD_AFTER_MS = 30_000
const KEPT_MS = 24 * 60 * 60 * 1_000
/** Questions that nobody waits for may take longer. */
const TIME_FACTOR = 10
const RUNNING_MAX = 100

interface BackgroundParts {
  readonly database: Database
  readonly questions: Questions
  readonly logger: Logger
  readonly now: () => Date
}

export interface QueryRun {
  readonly id: string
  readonly state: "running" | "complete" | "failed" | "cancelled"
  readonly answer: string | null
  readonly failure: Failure | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly is_dead: boolean
}

interface Failure {
  readonly kind: ErrorKind
  readonly code: string
  readonly detail: string
  readonly attr: string | null
}

export interface Started {
  readonly id: string
  readonly created_by: number | null
}

export class BackgroundQuestions implements AsyncDisposable {
  readonly #parts: BackgroundParts
  readonly #running = new Map<string, { controller: AbortController; done: Promise<void> }>()

  constructor(parts: BackgroundParts) {
    this.#parts = parts
  }

  async start(asked: Omit<Asked, "signal">, { id, created_by }: Started): Promise<void> {
    const { database, now } = this.#parts
    if (this.#running.size >= RUNNING_MAX) {
      throw invalid("Too many queries are running already; cancel some or wait.", null, "too_many")
    }
    const at = now()
    const kept = new Date(at.getTime() - KEPT_MS)
    await database.db`delete from query_run where started_at < ${kept}`
    const made = await database.db`
      insert into query_run (project_id, id, created_by, query, started_at, alive_at)
      values (${asked.project_id}, ${id}, ${created_by}, ${stringifyExact(asked.query)}::text::json,
              ${at}, ${at})
      on conflict (project_id, id) do update set created_by = excluded.created_by,
        query = excluded.query, state = 'running', answer = null, failure = null, ended_at = null,
        started_at = excluded.started_at, alive_at = excluded.alive_at
      where query_run.state <> 'running'
      returning id`
    if (made.length === 0) {
      throw invalid(`A query with the id "${id}" is running.`, "client_query_id", "unique")
    }
    const controller = new AbortController()
    const done = this.#work(asked, { id, controller })
    this.#running.set(`${asked.project_id} ${id}`, { controller, done })
  }

  async #work(
    asked: Omit<Asked, "signal">,
    { id, controller }: { id: string; controller: AbortController },
  ): Promise<void> {
    const { questions, logger } = this.#parts
    const watch = setInterval(() => {
      this.#renew(asked.project_id, id, controller).catch((error: unknown) =>
        logger.warn({ err: error, id }, "a query's state could not be renewed"),
      )
    }, ALIVE_EVERY_MS)
    try {
      const timeoutMs = questions.timeoutMs * TIME_FACTOR
      const { signal } = controller
      const answer = await questions.answer({ ...asked, signal, timeoutMs })
      await this.#end(asked.project_id, id, { state: "complete", answer: stringifyExact(answer) })
    } catch (error) {
      if (!(error instanceof DomainError)) logger.error({ err: error, id }, "a query failed")
      await this.#end(asked.project_id, id, { state: "failed", failure: failureOf(error) }).catch(
        (lost: unknown) => logger.error({ err: lost, id }, "a query's failure could not be kept"),
      )
    } finally {
      clearInterval(watch)
      this.#running.delete(`${asked.project_id} ${id}`)
    }
  }

  async #renew(projectId: number, id: string, controller: AbortController): Promise<void> {
    const row = await first(this.#parts.database.db<{ id: string }[]>`
      update query_run set alive_at = ${this.#parts.now()}
      where project_id = ${projectId} and id = ${id} and state = 'running' returning id`)
    if (row === undefined) controller.abort(invalid("The query was cancelled.", null, "cancelled"))
  }

  async #end(
    projectId: number,
    id: string,
    outcome: { state: "complete" | "failed"; answer?: string; failure?: Failure },
  ): Promise<void> {
    const { database, now } = this.#parts
    const failure = outcome.failure === undefined ? null : JSON.stringify(outcome.failure)
    await database.db`
      update query_run set state = ${outcome.state}, answer = ${outcome.answer ?? null},
        failure = ${failure}::text::json, ended_at = ${now()}
      where project_id = ${projectId} and id = ${id} and state = 'running'`
  }

  /** Whether there was one to cancel. */
  async cancel(db: Db, projectId: number, id: string): Promise<boolean> {
    const cancelled = await db`
      update query_run set state = 'cancelled', ended_at = ${this.#parts.now()}
      where project_id = ${projectId} and id = ${id} and state = 'running' returning id`
    this.#running
      .get(`${projectId} ${id}`)
      ?.controller.abort(invalid("The query was cancelled.", null, "cancelled"))
    return cancelled.length > 0
  }

  async get(db: Db, projectId: number, id: string): Promise<QueryRun> {
    const dead = new Date(this.#parts.now().getTime() - DEAD_AFTER_MS)
    const run = await first(db<QueryRun[]>`
      select id, state, answer, failure, started_at, ended_at, alive_at < ${dead} as is_dead
      from query_run where project_id = ${projectId} and id = ${id}`)
    if (run === undefined) throw notFound(`There is no query with the id "${id}".`)
    return run
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running.values()]
    for (const { controller } of running) {
      controller.abort(invalid("The server was stopped; ask again.", null, "stopped"))
    }
    await Promise.all(running.map(({ done }) => done))
  }
}

/** The answer of a run that is complete. */
export function answerOf({ answer }: QueryRun): JsonObject {
  return parseExact(answer ?? "{}") as JsonObject
}

/** What went wrong, as it would have been said at once. */
export function errorOf({ state, failure, is_dead }: QueryRun): DomainError | undefined {
  if (state === "cancelled") return invalid("The query was cancelled.", null, "cancelled")
  if (state === "running" && is_dead) {
    return invalid("The node that worked on this query is gone; ask again.", null, "stopped")
  }
  if (failure === null) return undefined
  return new DomainError(failure.kind, failure)
}

function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) {
    return { kind: error.kind, code: error.code, detail: error.message, attr: error.attr }
  }
  return { kind: "unavailable", code: "error", detail: "The query failed.", attr: null }
}
