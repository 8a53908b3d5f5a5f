/**
 * Keeps a record that no attempt could ingest, so that nothing acknowledged is lost: one file each. Every start
 * tries them again, because the next version may know how to read them.
 */
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises"
import path from "node:path"
import { isErrno } from "../lib/system-error.ts"
import type { Log, LogRecord } from "../log/log.ts"

const ENDING = ".record"

export async function quarantine(
  folder: string,
  { logId, record }: { logId: string; record: LogRecord },
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = path.join(folder, `${logId}-${record.position}${ENDING}`)
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

async function listQuarantined(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    return names.filter((name) => name.endsWith(ENDING)).map((name) => path.join(folder, name))
  } catch (error) {
    if (isErrno(error, "ENOENT")) return []
    throw error
  }
}

/** Into the log again; whatever still cannot be read comes back under its new position. */
export async function retryQuarantined(folder: string, log: Log): Promise<number> {
  const files = await listQuarantined(folder)
  for (const file of files) {
    await log.append([await readFile(file)])
    await rm(file)
  }
  return files.length
}
