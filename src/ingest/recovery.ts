/** Where ingestion goes on after a stop of any kind: `loop.ts` tells the steps that a crash may fall between. */
import type { LogPosition } from "../log/log.ts"
import { raiseSequences } from "../persons/sequences.ts"
import type { IngestParts } from "./loop.ts"
import { findPosition } from "./position-store.ts"

export async function recover(
  parts: Pick<IngestParts, "log" | "database" | "columnar" | "logger">,
): Promise<LogPosition> {
  const { log, database, columnar, logger } = parts
  const committed = (await findPosition(database.db, log.id)) ?? 0
  let appended = (await columnar.findPosition(log.id)) ?? 0
  if (appended > committed) {
    // PostgreSQL is of an earlier time than the columnar store: ids that it would give again are taken.
    logger.error({ appended, committed }, "PostgreSQL is older than the columnar store")
    await raiseSequences(database.db, await columnar.findMaxIds())
  }
  for (const prepared of await columnar.listPrepared(log.id)) {
    const { position } = prepared.mark
    if (position > appended && position <= committed) {
      await columnar.append(prepared)
      appended = position
    } else {
      await columnar.discard(prepared)
    }
  }
  if (appended < committed) {
    // Only when files were taken away. Events come again from the log; what they did to persons may differ.
    logger.error({ appended, committed }, "prepared events are missing; the log is read again")
  }
  return Math.min(Math.max(appended, log.start()), log.end())
}

/**
 * Before anything is appended: a log that lost its end would give positions again, and what is appended there would
 * count as stored.
 */
export async function passKnownPositions(
  parts: Pick<IngestParts, "log" | "database" | "columnar" | "logger">,
): Promise<void> {
  const { log, database, columnar, logger } = parts
  const committed = (await findPosition(database.db, log.id)) ?? 0
  const appended = (await columnar.findPosition(log.id)) ?? 0
  const known = Math.max(committed, appended)
  if (log.end() >= known) return
  logger.error(
    { end: log.end(), known },
    "the log has lost its end; it goes on behind what was seen",
  )
  await log.skipTo(known)
}
