/** Segment files: their names, making them, reading them. */
import path from "node:path"
import { isErrno } from "../lib/system-error.ts"
import type { LogFile, LogFiles } from "./files.ts"
import type { LogPosition } from "./record.ts"

/** The largest safe integer has 16 digits. */
const NAME_DIGITS = 16
const NAME = /^(\d{16})\.log$/
/** What a disk loses at once, when it loses some. */
const PAGE_BYTES = 4_096

/** Where the files are. */
export interface Place {
  readonly folder: string
  readonly files: LogFiles
}

export function segmentFile(folder: string, start: LogPosition): string {
  return path.join(folder, `${String(start).padStart(NAME_DIGITS, "0")}.log`)
}

/** The start position in a segment's name; undefined for the name of anything else. */
export function findStart(name: string): LogPosition | undefined {
  const digits = NAME.exec(name)?.[1]
  const start = Number(digits)
  return Number.isSafeInteger(start) ? start : undefined
}

/**
 * An empty segment that survives a power loss. After a failure the file may be there or not; either is
 * harmless as long as nothing is appended to the segment before it, whose end the name marks.
 */
export async function createSegment(
  { folder, files }: Place,
  start: LogPosition,
): Promise<LogFile> {
  const file = await files.create(segmentFile(folder, start))
  try {
    await file.sync()
    await files.syncFolder(folder)
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

/** Up to `sizeBytes` from `offset`, fewer where the file ends. Pages that the disk has lost read as zeros. */
export async function readBytes(file: LogFile, offset: number, sizeBytes: number): Promise<Buffer> {
  const target = Buffer.allocUnsafeSlow(sizeBytes)
  try {
    return target.subarray(0, await file.read(target, offset))
  } catch (error) {
    if (!isErrno(error, "EIO")) throw error
  }
  for (let at = 0; at < sizeBytes; at += PAGE_BYTES) {
    const page = target.subarray(at, at + PAGE_BYTES)
    const filled = await readPage(file, page, offset + at)
    if (filled < page.length) return target.subarray(0, at + filled)
  }
  return target
}

async function readPage(file: LogFile, page: Buffer, offset: number): Promise<number> {
  try {
    return await file.read(page, offset)
  } catch (error) {
    if (!isErrno(error, "EIO")) throw error
    page.fill(0)
    return page.length
  }
}
