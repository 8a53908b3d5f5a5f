/**
 * Makes deleted rows unreadable in the files of PostgreSQL. Measured by looking for a deleted e-mail address:
 *   - `delete` and a plain `vacuum` leave it in the table, because freed space is not overwritten;
 *   - `vacuum full` writes the live rows into new files and drops the old ones (25,000 persons: 0.3 s, during
 *     which readers and writers of that table wait; the log of captured events does not);
 *   - the planner's statistics quote column values, also of tables that are empty by now;
 *   - the write-ahead log holds what was written, and old segments wait under new names to be used again.
 * The last is done where nobody else reads that log. Elsewhere its retention is the business of whoever runs
 * the server, as are its backups.
 */
import { type Db, one, sqlState } from "../relational/db.ts"

const TABLES = [
  "person",
  "person_distinct_id",
  "person_tombstone",
  "group_profile",
  "ingestion_warning",
  "columnar_change",
  "activity_log",
] as const

const STATEMENT_TIMEOUT_MS = 60 * 60 * 1_000
const INSUFFICIENT_PRIVILEGE = "42501"

/** On a session of its own: none of this can run in a transaction. */
export async function eraseDeadRows(db: Db): Promise<void> {
  await db`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, false)`
  const isAllowed = await forgetStatistics(db)
  for (const table of TABLES) await db`vacuum (full, analyze) ${db(table)}`
  if (!isAllowed) return
  await db`vacuum full pg_statistic`
  if (await ownsLog(db)) await dropOldLog(db)
}

/** False when the server is somebody else's: then new statistics replace the old, and autovacuum the rest. */
async function forgetStatistics(db: Db): Promise<boolean> {
  try {
    await db`
      delete from pg_statistic
      where starelid = any(array(select to_regclass(name) from unnest(${[...TABLES]}::text[]) as t (name)))`
    return true
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    return false
  }
}

/** Neither archive nor replica can read a minimal log. */
async function ownsLog(db: Db): Promise<boolean> {
  const { level } = await one(db<{ level: string }[]>`select current_setting('wal_level') as level`)
  return level === "minimal"
}

/** As many as the log may be long, so that a strange answer of the server is no endless loop. */
const SEGMENTS_MAX = 1_024

/**
 * Segments that wait to be used again are used up first, because nothing else overwrites them; then a
 * checkpoint removes all that is behind it, for once without keeping any for later.
 */
async function dropOldLog(db: Db): Promise<void> {
  try {
    await db`alter system set wal_recycle = off`
    await db`select pg_reload_conf()`
    await db`checkpoint`
    for (let count = 0; count < SEGMENTS_MAX && (await hasSegmentsAhead(db)); count++) {
      await nextSegment(db)
    }
    await nextSegment(db)
    await db`checkpoint`
  } finally {
    await db`alter system reset wal_recycle`
    await db`select pg_reload_conf()`
  }
}

async function hasSegmentsAhead(db: Db): Promise<boolean> {
  const { has } = await one(db<{ has: boolean }[]>`
    select exists (select 1 from pg_ls_waldir()
                   where name ~ '^[0-9A-F]{24}$'
                     and name > pg_walfile_name(pg_current_wal_insert_lsn())) as has`)
  return has
}

/** A segment without a record of its own is not left. */
async function nextSegment(db: Db): Promise<void> {
  await db`select pg_logical_emit_message(true, 'hedgerow', '')`
  await db`select pg_switch_wal()`
}
