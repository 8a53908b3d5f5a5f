/** The few file operations of the log, so that tests can let them fail. */
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises"

export interface LogFile {
  /** Writes at `offset` and says how many bytes; they may be fewer than given. */
  write(parts: readonly Uint8Array[], offset: number): Promise<number>
  /** Fills `target` from `offset` and says how many bytes; fewer only where the file ends. */
  read(target: Buffer, offset: number): Promise<number>
  truncate(sizeBytes: number): Promise<void>
  /** Returns when all bytes written are on disk. */
  syncData(): Promise<void>
  /** The same for all that is known of the file; a new file needs it. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface LogFiles {
  /** Makes the file, or empties it. */
  create(file: string): Promise<LogFile>
  openToRead(file: string): Promise<LogFile>
  openToMend(file: string): Promise<LogFile>
  list(folder: string): Promise<string[]>
  sizeBytes(file: string): Promise<number>
  remove(file: string): Promise<void>
  /** Returns when the names in the folder are on disk. */
  syncFolder(folder: string): Promise<void>
}

export const nodeFiles: LogFiles = {
  create: async (file) => nodeFile(await open(file, "w", 0o600)),
  openToRead: async (file) => nodeFile(await open(file, "r")),
  openToMend: async (file) => nodeFile(await open(file, "r+")),
  list: (folder) => readdir(folder),
  sizeBytes: async (file) => (await stat(file)).size,
  remove: (file) => rm(file, { force: true }),
  async syncFolder(folder) {
    const handle = await open(folder, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
}

function nodeFile(handle: FileHandle): LogFile {
  return {
    write: async (parts, offset) => (await handle.writev(parts, offset)).bytesWritten,
    read: (target, offset) => readFully(handle, target, offset),
    truncate: (sizeBytes) => handle.truncate(sizeBytes),
    syncData: () => handle.datasync(),
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

async function readFully(handle: FileHandle, target: Buffer, offset: number): Promise<number> {
  let filled = 0
  while (filled < target.length) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
