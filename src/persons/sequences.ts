/** The numbers that persons and their states get. */
import type { Db } from "../relational/db.ts"

/** None that is taken elsewhere is given again. */
export async function raiseSequences(
  db: Db,
  taken: { readonly person: number; readonly snapshot: number },
): Promise<void> {
  await db`
    select setval('person_id_seq', greatest(nextval('person_id_seq'), ${taken.person + 1})),
           setval('person_snapshot', greatest(nextval('person_snapshot'), ${taken.snapshot + 1}))`
}
