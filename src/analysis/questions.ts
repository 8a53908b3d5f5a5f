/** Answers questions: looks whether the answer is known, works it out under limits, lets it be cancelled. */
import type { ColumnarEngine } from "../columnar/engine.ts"
import type { Clock } from "../lib/clock.ts"
import { elapsedMs } from "../lib/clock.ts"
import { invalid } from "../lib/errors.ts"
import { sha256Hex } from "../lib/ids.ts"
import type { JsonObject, JsonValue } from "../lib/json.ts"
import type { Database } from "../relational/db.ts"
import { AnswerCache, type KeptAnswer } from "./answer-cache.ts"
import { type Desk, getProjectFacts } from "./desk.ts"
import { getKind } from "./kinds/index.ts"

export interface QuestionParts {
  readonly database: Database
  readonly columnar: ColumnarEngine
  readonly clock: Clock
  readonly timeoutMs: number
}

/** How an answer that is already known may be used. */
export type Refresh = "fresh" | "force" | "cache"

export interface Asked {
  readonly project_id: number
  readonly query: JsonObject
  readonly refresh: Refresh
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** By which a blocking question may be cancelled. */
  readonly id?: string | undefined
}

export class Questions {
  readonly #parts: QuestionParts
  readonly #cache = new AnswerCache()
  readonly #running = new Map<string, AbortController>()

  constructor(parts: QuestionParts) {
    this.#parts = parts
  }

  get timeoutMs(): number {
    return this.#parts.timeoutMs
  }

  /** The answer that is already known and still holds, if there is one. */
  async findKnown(asked: Asked): Promise<JsonObject | undefined> {
    if (asked.refresh !== "fresh") return undefined
    const desk = await this.desk(asked)
    const key = keyOf(desk, asked.query)
    const kept = this.#cache.findFresh(key, this.#parts.columnar.changeCount)
    return kept === undefined ? undefined : shown(kept, key, true)
  }

  async answer(asked: Asked): Promise<JsonObject> {
    const { project_id, query, refresh } = asked
    const kind = getKind(query.kind)
    const desk = await this.desk(asked)
    const version = this.#parts.columnar.changeCount
    const key = keyOf(desk, query)
    if (refresh === "cache") {
      const kept = this.#cache.findAny(key)
      if (kept === undefined) throw invalid("No answer to this query is known yet.", "refresh")
      return shown(kept, key, true)
    }
    const kept = refresh === "fresh" ? this.#cache.findFresh(key, version) : undefined
    if (kept !== undefined) return shown(kept, key, true)
    const answer = await this.#whileCancellable({ ...asked, project_id }, (signal) =>
      this.#cache.workOut({ key, version, signal }, async (shared) => {
        const startMs = elapsedMs()
        const limits = { ...desk.limits, signal: shared }
        const found = await kind.answer(query, { ...desk, limits })
        const timings = [{ k: "query", t: (elapsedMs() - startMs) / 1_000 }]
        return { answer: { ...found, timings }, workedOutAt: desk.now }
      }),
    )
    return shown(answer, key, false)
  }

  /** For those who ask in parts, such as the lookups of persons. */
  async desk({
    project_id,
    signal,
    timeoutMs = this.#parts.timeoutMs,
  }: Pick<Asked, "project_id" | "signal" | "timeoutMs">): Promise<Desk> {
    const { database, columnar, clock } = this.#parts
    const project = await getProjectFacts(database.db, project_id)
    return { db: database.db, columnar, limits: { timeoutMs, signal }, project, now: clock.now() }
  }

  /** Whether a question with this id was running here. */
  cancel(project_id: number, id: string): boolean {
    const controller = this.#running.get(`${project_id} ${id}`)
    controller?.abort(invalid("The query was cancelled.", null, "cancelled"))
    return controller !== undefined
  }

  async #whileCancellable<T>(
    { project_id, id, signal }: Asked,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (id === undefined) return work(signal)
    const place = `${project_id} ${id}`
    const controller = new AbortController()
    this.#running.set(place, controller)
    try {
      return await work(AbortSignal.any([signal, controller.signal]))
    } finally {
      if (this.#running.get(place) === controller) this.#running.delete(place)
    }
  }
}

/** Settings of the project are part of the question. */
function keyOf({ project }: Desk, query: JsonObject): string {
  return sha256Hex(stableText([project as unknown as JsonValue, query]))
}

function shown({ answer, workedOutAt }: KeptAnswer, key: string, isCached: boolean): JsonObject {
  const at = workedOutAt.toISOString()
  return {
    ...answer,
    is_cached: isCached,
    last_refresh: at,
    next_allowed_client_refresh: at,
    cache_key: key,
  }
}

/** The same for the same value, in whatever order its keys came. */
function stableText(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
