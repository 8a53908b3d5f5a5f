/**
 * Which project a token is of. What PostgreSQL said is believed for a second, so that a busy token costs one
 * statement a second; while PostgreSQL is away, known tokens go on being known.
 */
import { elapsedMs } from "../lib/clock.ts"
import { DomainError } from "../lib/errors.ts"
import { isOutage } from "../relational/db.ts"
import { refusal } from "./refusal.ts"

export interface Project {
  readonly project_id: number
}

export type FindProject = (token: string) => Promise<Project | undefined>

const FRESH_MS = 1_000
/** A known token waits no longer than this for a server that may hang. */
const RECHECK_WAIT_MS = 200
const KNOWN_MAX = 10_000
const LOOKUPS_MAX = 1_000

interface Known {
  readonly project: Project
  checkedMs: number
}

export class ProjectTokens {
  readonly #lookUp: FindProject
  readonly #nowMs: () => number
  readonly #known = new Map<string, Known>()
  readonly #lookups = new Map<string, Promise<Project | undefined>>()

  constructor(lookUp: FindProject, nowMs: () => number = elapsedMs) {
    this.#lookUp = lookUp
    this.#nowMs = nowMs
  }

  find(token: string): Project | undefined | Promise<Project | undefined> {
    const known = this.#known.get(token)
    if (known === undefined) return this.#askOnce(token)
    if (this.#nowMs() - known.checkedMs < FRESH_MS) return known.project
    return this.#recheck(token, known)
  }

  async #recheck(token: string, known: Known): Promise<Project | undefined> {
    const asked = this.#askOnce(token)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Project>((resolve) => {
      timer = setTimeout(resolve, RECHECK_WAIT_MS, known.project)
    })
    try {
      return await Promise.race([asked, late])
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return known.project
    } finally {
      clearTimeout(timer)
      // Whatever came of it, the next try is a second away.
      known.checkedMs = this.#nowMs()
    }
  }

  #askOnce(token: string): Promise<Project | undefined> {
    const running = this.#lookups.get(token)
    if (running !== undefined) return running
    if (this.#lookups.size >= LOOKUPS_MAX) return Promise.reject(unknowable())
    const asked = this.#ask(token).finally(() => this.#lookups.delete(token))
    this.#lookups.set(token, asked)
    return asked
  }

  async #ask(token: string): Promise<Project | undefined> {
    try {
      const project = await this.#lookUp(token)
      this.#known.delete(token)
      if (project !== undefined) this.#remember(token, project)
      return project
    } catch (error) {
      throw isOutage(error) ? unknowable() : error
    }
  }

  #remember(token: string, project: Project): void {
    this.#known.set(token, { project, checkedMs: this.#nowMs() })
    if (this.#known.size <= KNOWN_MAX) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      return
    }
  }
}

function unknowable() {
  return refusal("unavailable", "The project of this token cannot be looked up right now.")
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.kind === "unavailable"
}
