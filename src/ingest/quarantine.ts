/** Keeps a record that no attempt could ingest, so that nothing acknowledged is lost: one file each. */
import { mkdir, open } from "node:fs/promises"
import path from "node:path"
import type { LogRecord } from "../log/log.ts"

export async function quarantine(
  folder: string,
  { logId, record }: { logId: string; record: LogRecord },
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = path.join(folder, `${logId}-${record.position}.record`)
  const file = await open(name, "w", 0o600)
  try {
    await file.writeFile(record.payload)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(folder)
  return name
}

/** The name must be safe before the log lets go of the record. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
