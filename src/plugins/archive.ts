/**
 * Reads a plugin out of an uploaded or downloaded archive. Nothing is written to disk, and every bound is checked
 * while unpacking, so that a small hostile file costs little.
 */
import { invalid } from "../lib/errors.ts"
import { type ArchiveEntry, EntryGuard } from "./entry-guard.ts"
import { checkFiles, findText, type PluginFiles } from "./files.ts"
import { readTar } from "./tar.ts"
import { readZip } from "./zip.ts"

export const MAX_ARCHIVE_BYTES = 20 * 1024 * 1024

const ZIP_MAGICS = ["PK\x03\x04", "PK\x05\x06"]
const GZIP_MAGIC = "\x1f\x8b"
const TAR_MAGIC = "ustar"
const TAR_MAGIC_OFFSET = 257

/** The kept files of a .zip, .tar, .tar.gz or .tgz, without the folder that holds them all. */
export async function readArchive(bytes: Uint8Array): Promise<PluginFiles> {
  if (bytes.length > MAX_ARCHIVE_BYTES) {
    throw invalid(`the archive has ${bytes.length} bytes; at most ${MAX_ARCHIVE_BYTES} are read`)
  }
  return keptFiles(await readEntries(bytes))
}

function readEntries(bytes: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const guard = new EntryGuard(bytes.length)
  const startsWith = (magic: string, offset = 0) =>
    Buffer.from(bytes.subarray(offset, offset + magic.length)).toString("latin1") === magic
  if (ZIP_MAGICS.some((magic) => startsWith(magic))) return readZip(bytes, guard)
  if (startsWith(GZIP_MAGIC)) return readTar(bytes, { guard, gzip: true })
  if (startsWith(TAR_MAGIC, TAR_MAGIC_OFFSET)) return readTar(bytes, { guard, gzip: false })
  throw invalid("the file is no archive that can be read; use .zip, .tgz, .tar.gz or .tar")
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
