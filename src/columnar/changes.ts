/**
 * Write-through: what the API changes about persons reaches the columnar store before the answer goes out. A
 * change is recorded in the transaction of the write and applied after it; a crash in between leaves the
 * record, which the next flush or start applies.
 */
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import type { Database, Db } from "../relational/db.ts"
import type { ColumnarChange, ColumnarEngine } from "./engine.ts"

export interface ColumnarChanges {
  /** In the transaction of the write. */
  record(db: Db, change: ColumnarChange): Promise<void>
  /** Applies all that is recorded, in order. */
  flush(): Promise<void>
}

export interface ColumnarChangesParts {
  readonly database: Database
  readonly engine: Pick<ColumnarEngine, "apply">
  /** Told after a change is applied, so that caches forget what it touched. */
  readonly onApplied: (change: ColumnarChange) => void
}

const CHANGES_PER_TRANSACTION = 100

export function createColumnarChanges(parts: ColumnarChangesParts): ColumnarChanges {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async record(db, change) {
      await db`
        insert into columnar_change (change, created_at)
        values (${stringifyExact(change)}::text::json, now())`
    },
    flush() {
      // One at a time, each starting after it was asked for: who waits for it must see its own change.
      const next = last.catch(() => {}).then(() => applyAll(parts))
      last = next
      return next
    },
  }
}

async function applyAll(parts: ColumnarChangesParts): Promise<void> {
  while ((await applySome(parts)) === CHANGES_PER_TRANSACTION);
}

/** Locked while they are applied: another node waits instead of going ahead of us. */
function applySome({ database, engine, onApplied }: ColumnarChangesParts): Promise<number> {
  return database.transaction(async (db) => {
    const rows = await db<{ id: number; change: string }[]>`
      select id, change::text as change from columnar_change
      order by id limit ${CHANGES_PER_TRANSACTION} for update`
    for (const { change } of rows) {
      const parsed = parseExact(change) as ColumnarChange
      await engine.apply(parsed)
      onApplied(parsed)
    }
    if (rows.length > 0) {
      await db`delete from columnar_change where id = any(${rows.map(({ id }) => id)})`
    }
    return rows.length
  })
}
