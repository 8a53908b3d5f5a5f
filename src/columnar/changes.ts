/**
 * Write-through: what the API changes about persons reaches the columnar store before the answer goes out. A
 * change is recorded in the transaction of the write and applied after it, once, however often it is tried; what
 * a crash or a failure leaves recorded is applied before ingestion goes on.
 */
import { parseExact, stringifyExact } from "../lib/exact-json.ts"
import { type Database, type Db, first } from "../relational/db.ts"
import type { ColumnarChange, ColumnarEngine } from "./engine.ts"

export interface ColumnarChanges {
  /** In the transaction of the write. */
  record(db: Db, change: ColumnarChange): Promise<void>
  /** Applies all that was recorded before the call, in order. */
  flush(): Promise<void>
}

export interface OpenChanges extends ColumnarChanges {
  /** False while something recorded may not be applied: at first, and after a flush that failed. */
  isSettled(): boolean
}

export interface ColumnarChangesParts {
  readonly database: Database
  readonly engine: Pick<ColumnarEngine, "apply">
  /** Told after a change is applied, so that caches forget what it touched. */
  readonly onApplied: (change: ColumnarChange) => void
}

export function createColumnarChanges(parts: ColumnarChangesParts): OpenChanges {
  let last: Promise<void> = Promise.resolve()
  let isSettled = false
  const apply = async () => {
    try {
      while (await applyFirst(parts));
      isSettled = true
    } catch (error) {
      isSettled = false
      throw error
    }
  }
  return {
    async record(db, change) {
      await db`
        insert into columnar_change (change, created_at)
        values (${stringifyExact(change)}::text::json, now())`
    },
    flush() {
      // One at a time, each starting after it was asked for: who waits for it must see its own change.
      last = last.catch(() => {}).then(apply)
      return last
    },
    isSettled: () => isSettled,
  }
}

/** False when there is none. No transaction is held meanwhile: the engine itself knows what it has applied. */
async function applyFirst({ database, engine, onApplied }: ColumnarChangesParts): Promise<boolean> {
  const { db } = database
  const row = await first(db<{ id: number; change: string }[]>`
    select id, change::text as change from columnar_change order by id limit 1`)
  if (row === undefined) return false
  const change = parseExact(row.change) as ColumnarChange
  await engine.apply(change, { id: row.id, settledBefore: row.id })
  onApplied(change)
  await db`delete from columnar_change where id = ${row.id}`
  return true
}
