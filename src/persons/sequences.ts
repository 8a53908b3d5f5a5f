/** The numbers that persons, their states and changes of them get. */
import type { Db } from "../relational/db.ts"

export interface TakenNumbers {
  readonly person: number
  readonly snapshot: number
  readonly change: number
}

/** None that is taken elsewhere is given again. */
export async function raiseSequences(db: Db, taken: TakenNumbers): Promise<void> {
  await db`
    select setval(name::regclass, greatest(nextval(name::regclass), number + 1))
    from unnest(${["person_id_seq", "person_snapshot", "columnar_change_id_seq"]}::text[],
                ${[taken.person, taken.snapshot, taken.change]}::bigint[]) w (name, number)`
}
