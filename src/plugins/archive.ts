/**
 * Reads a plugin out of an uploaded or downloaded archive. Nothing is written to disk; every bound is checked
 * while unpacking, so that a small hostile file costs little.
 */
import { invalid } from "../lib/errors.ts"
import { checkFileSize, checkFiles, findText, isKeptFile, type PluginFiles } from "./files.ts"
import { readTar } from "./tar.ts"
import { readZip } from "./zip.ts"

export const MAX_ARCHIVE_BYTES = 20 * 1024 * 1024
export const MAX_ARCHIVE_ENTRIES = 5_000
export const MAX_UNPACKED_BYTES = 100 * 1024 * 1024

/** How many times larger than its archive the content may be, once past the free size. */
const MAX_UNPACK_RATIO = 200
const FREE_UNPACKED_BYTES = 4 * 1024 * 1024

const TAR_MAGIC_OFFSET = 257

/** One file of an archive; the bytes are there only for files that are kept. */
export interface ArchiveEntry {
  readonly name: string
  readonly bytes: Uint8Array | undefined
}

/** What an unpacker asks about each entry before it unpacks it. */
export interface EntryGuard {
  /** The cleaned name, or undefined for an entry that names no file (`./`). Throws on a hostile name. */
  readonly admit: (rawName: string) => string | undefined
  /** Counts unpacked bytes, kept or not. */
  readonly count: (unpackedBytes: number) => void
  /** Whether to unpack it; throws when the file is too large to keep. */
  readonly keeps: (name: string, sizeBytes: number) => boolean
}

/** The kept files of a .zip, .tar, .tar.gz or .tgz, without the folder that holds them all. */
export async function readArchive(bytes: Uint8Array): Promise<PluginFiles> {
  if (bytes.length > MAX_ARCHIVE_BYTES) {
    throw invalid(`the archive has ${bytes.length} bytes; at most ${MAX_ARCHIVE_BYTES} are read`)
  }
  const guard = entryGuard(bytes.length)
  return keptFiles(await readEntries(bytes, guard))
}

function readEntries(bytes: Uint8Array, guard: EntryGuard): Promise<readonly ArchiveEntry[]> {
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0x50, 0x4b, 5, 6])) {
    return readZip(bytes, guard)
  }
  if (startsWith(bytes, [0x1f, 0x8b])) return readTar(bytes, guard, { gzip: true })
  const magic = bytes.subarray(TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5)
  if (startsWith(magic, Buffer.from("ustar"))) return readTar(bytes, guard, { gzip: false })
  throw invalid("the file is no archive that can be read; use .zip, .tgz, .tar.gz or .tar")
}

function entryGuard(archiveBytes: number): EntryGuard {
  let entryCount = 0
  let unpackedBytes = 0
  const unpackedLimit = Math.max(FREE_UNPACKED_BYTES, archiveBytes * MAX_UNPACK_RATIO)
  const limitBytes = Math.min(MAX_UNPACKED_BYTES, unpackedLimit)
  return {
    admit(rawName) {
      entryCount += 1
      if (entryCount > MAX_ARCHIVE_ENTRIES) {
        throw invalid(`the archive has more than ${MAX_ARCHIVE_ENTRIES} entries`)
      }
      return cleanName(rawName)
    },
    count(bytes) {
      unpackedBytes += bytes
      if (unpackedBytes <= limitBytes) return
      throw invalid(`the archive unpacks to more than ${limitBytes} bytes, which is refused`)
    },
    keeps(name, sizeBytes) {
      if (!isKeptFile(name)) return false
      checkFileSize(name, sizeBytes)
      return true
    },
  }
}

function cleanName(rawName: string): string | undefined {
  const name = rawName.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "")
  if (name === "" || name === ".") return undefined
  const isOutside = name.startsWith("/") || /^[a-z]:/i.test(name) || name.split("/").includes("..")
  if (isOutside || name.includes("\\") || name.includes("\0")) {
    throw invalid(`the archive holds ${JSON.stringify(name.slice(0, 80))}, which leads out of it`)
  }
  return name
}

function keptFiles(entries: readonly ArchiveEntry[]): PluginFiles {
  const folder = topFolder(entries.map((entry) => entry.name))
  const files = new Map<string, string>()
  for (const { name, bytes } of entries) {
    const text = bytes && findText(bytes)
    if (text === undefined) continue
    const shortName = name.slice(folder.length)
    if (files.has(shortName)) throw invalid(`the archive holds ${shortName} twice`)
    files.set(shortName, text)
  }
  return checkFiles(files)
}

/** The one folder that every file is in, with its slash; "" when there is none. */
function topFolder(names: readonly string[]): string {
  const first = names[0]
  if (!first?.includes("/")) return ""
  const folder = first.slice(0, first.indexOf("/") + 1)
  return names.every((name) => name.startsWith(folder)) ? folder : ""
}

function startsWith(bytes: Uint8Array, magic: ArrayLike<number>): boolean {
  return Array.from(magic).every((byte, i) => bytes[i] === byte)
}
