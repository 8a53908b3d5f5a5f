/** The bounds of an archive, asked entry by entry while it is unpacked. */
import { invalid } from "../lib/errors.ts"
import { checkFileSize, isKeptFile, MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from "./files.ts"

export const MAX_ARCHIVE_ENTRIES = 5_000
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024

/** How many times larger than its archive the content may be, once past the free size. */
const MAX_UNPACK_RATIO = 200
const FREE_UNPACKED_BYTES = 4 * 1024 * 1024

/** One file of an archive; the bytes are there only for files that are kept. */
export interface ArchiveEntry {
  readonly name: string
  readonly bytes: Uint8Array | undefined
}

export class EntryGuard {
  #entryCount = 0
  #unpackedBytes = 0
  #keptCount = 0
  #keptBytes = 0
  readonly #unpackedLimitBytes: number

  constructor(archiveBytes: number) {
    const byRatio = Math.max(FREE_UNPACKED_BYTES, archiveBytes * MAX_UNPACK_RATIO)
    this.#unpackedLimitBytes = Math.min(MAX_UNPACKED_BYTES, byRatio)
  }

  /** Counts the entry and cleans its name; undefined for one that names no file (`./`). */
  admit(rawName: string): string | undefined {
    this.#entryCount += 1
    if (this.#entryCount > MAX_ARCHIVE_ENTRIES) {
      throw invalid(`the archive has more than ${MAX_ARCHIVE_ENTRIES} entries`)
    }
    return cleanName(rawName)
  }

  /** Counts unpacked bytes, kept or not. */
  count(unpackedBytes: number): void {
    this.#unpackedBytes += unpackedBytes
    if (this.#unpackedBytes <= this.#unpackedLimitBytes) return
    throw invalid(`the archive unpacks to more than ${this.#unpackedLimitBytes} bytes`)
  }

  /** Whether this file is to be unpacked and held. */
  keeps(name: string, sizeBytes: number): boolean {
    if (!isKeptFile(name)) return false
    checkFileSize(name, sizeBytes)
    this.#keptCount += 1
    this.#keptBytes += sizeBytes
    if (this.#keptCount <= MAX_PLUGIN_FILES && this.#keptBytes <= MAX_PLUGIN_BYTES) return true
    throw invalid(
      `the archive holds more source than ${MAX_PLUGIN_FILES} files or ${MAX_PLUGIN_BYTES} bytes`,
    )
  }
}

/** An entry's name as it may stand in an error. */
export function showName(name: string): string {
  return JSON.stringify(name.slice(0, 80))
}

function cleanName(rawName: string): string | undefined {
  const name = rawName.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "")
  if ((name === "" && !rawName.startsWith("/")) || name === ".") return undefined
  const isRooted = rawName.startsWith("/") || /^[a-z]:/i.test(name)
  if (isRooted || name.split("/").includes("..") || /[\\\0]/.test(name)) {
    throw invalid(`the archive holds ${showName(rawName)}, which leads out of it`)
  }
  return name
}
