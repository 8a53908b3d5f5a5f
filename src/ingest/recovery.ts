/** Where ingestion goes on after a stop of any kind: `loop.ts` tells the steps that a crash may fall between. */
import type { LogPosition } from "../log/log.ts"
import type { IngestParts } from "./loop.ts"
import { findPosition } from "./position-store.ts"

export async function recover(
  parts: Pick<IngestParts, "log" | "database" | "columnar" | "logger">,
): Promise<LogPosition> {
  const { log, database, columnar, logger } = parts
  const committed = (await findPosition(database.db, log.id)) ?? 0
  let appended = (await columnar.findPosition(log.id)) ?? 0
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
    // Only when files were taken away: persons may see some events twice, which changes nothing about them.
    logger.error(
      { appended, committed },
      "prepared events are missing; they are read from the log again",
    )
  }
  const position = Math.max(appended, log.start())
  if (position > appended && appended > 0) {
    logger.error({ appended, start: log.start() }, "the log begins after what is stored")
  }
  return Math.min(position, log.end())
}
