/**
 * Persons that events came from lately, so that most batches ask PostgreSQL for few. What is here may be out of
 * date: writers check versions when they commit, and whoever changes persons elsewhere in this process says so.
 */
import type { PersonState } from "./identity.ts"

/** About 100 MB with ordinary persons. */
const PERSONS_MAX = 50_000
const IDS_MAX = 200_000

export class PersonCache {
  readonly #uuids = new Map<string, string>()
  readonly #persons = new Map<string, PersonState>()
  #changeCount = 0

  /** Grows whenever something was forgotten: what was read before may be out of date. */
  get changeCount(): number {
    return this.#changeCount
  }

  find(projectId: number, distinctId: string): PersonState | undefined {
    const uuid = this.#uuids.get(keyOf(projectId, distinctId))
    return uuid === undefined ? undefined : this.#persons.get(keyOf(projectId, uuid))
  }

  keepPerson(projectId: number, person: PersonState): void {
    keep(this.#persons, keyOf(projectId, person.uuid), person, PERSONS_MAX)
  }

  keepId(projectId: number, distinctId: string, uuid: string): void {
    keep(this.#uuids, keyOf(projectId, distinctId), uuid, IDS_MAX)
  }

  /** Its distinct ids are then found nowhere, whichever they are. */
  forgetPerson(projectId: number, uuid: string): void {
    this.#persons.delete(keyOf(projectId, uuid))
    this.#changeCount += 1
  }

  forgetId(projectId: number, distinctId: string): void {
    this.#uuids.delete(keyOf(projectId, distinctId))
    this.#changeCount += 1
  }

  clear(): void {
    this.#uuids.clear()
    this.#persons.clear()
    this.#changeCount += 1
  }
}

function keyOf(projectId: number, name: string): string {
  return `${projectId}:${name}`
}

/** A map remembers the order of its keys: the first is the one kept longest ago. */
function keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
