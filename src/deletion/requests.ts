/** The requests that wait for a run: rows of `data_deletion` without an end. */
import type { EventDeletion } from "../columnar/engine.ts"
import type { Db } from "../relational/db.ts"

export interface DeletionRequest {
  readonly id: string
  readonly kind: "project" | "person"
  readonly project_id: number
  /** The person's uuid, or the project's id. */
  readonly key: string
  readonly created_at: string
}

/** Oldest first. */
export async function listUnfinished(db: Db, countMax: number): Promise<DeletionRequest[]> {
  const rows = await db<DeletionRequest[]>`
    select id, kind, project_id, key, created_at from data_deletion
    where finished_at is null order by created_at, id limit ${countMax}`
  return [...rows]
}

export async function finish(
  db: Db,
  requests: readonly DeletionRequest[],
  now: Date,
): Promise<void> {
  await db`
    update data_deletion set finished_at = ${now}
    where id = any(${requests.map(({ id }) => id)}) and finished_at is null`
}

const END_OF_TIME = "9999-12-31 23:59:59.999999"

/** A person may come back, a project does not: whatever a wrong clock dated ahead goes with it. */
export function eventDeletionOf(request: DeletionRequest): EventDeletion {
  const { kind, project_id, key, created_at } = request
  return kind === "project"
    ? { project_id, until: END_OF_TIME }
    : { project_id, person_id: key, until: created_at.replace("T", " ").replace("Z", "") }
}
