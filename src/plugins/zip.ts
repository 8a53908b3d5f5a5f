/**
 * Reads a zip file by its central directory. Our own, since the readers at hand neither tell encrypted entries
 * and symbolic links apart nor check sums, and here only what is kept is ever inflated.
 */
import { promisify } from "node:util"
import { crc32, inflateRaw } from "node:zlib"
import { DomainError, invalid } from "../lib/errors.ts"
import { type ArchiveEntry, type EntryGuard, showName } from "./entry-guard.ts"

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT_BYTES = 0xffff
const ZIP64_MARK = 0xffffffff

const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAGS = 0x41
const UNIX_FILE_TYPE = 0xf000
const UNIX_SYMLINK = 0xa000
const UNIX_FOLDER = 0x4000

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw)

interface ZipEntry {
  readonly rawName: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly sizeBytes: number
  readonly unixMode: number
  readonly offset: number
}

export async function readZip(
  bytes: Uint8Array,
  guard: EntryGuard,
): Promise<readonly ArchiveEntry[]> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const entries: ArchiveEntry[] = []
    for (const entry of directory(zip)) {
      const name = guard.admit(entry.rawName)
      checkEntry(entry)
      if (name === undefined || entry.rawName.endsWith("/") || isFolder(entry)) continue
      guard.count(entry.sizeBytes)
      const isKept = guard.keeps(name, entry.sizeBytes)
      entries.push({ name, bytes: isKept ? await content(zip, entry) : undefined })
    }
    return entries
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw broken("it is cut off or damaged")
  }
}

/** Reading past the end throws a RangeError, which the caller reports as a broken archive. */
function* directory(zip: Buffer): Generator<ZipEntry> {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  if (at === ZIP64_MARK) throw invalid("the zip file is in the zip64 form, which is not read")
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw broken("its list of files is damaged")
    const nameEnd = at + ENTRY_BYTES + zip.readUInt16LE(at + 28)
    const isUnix = [3, 19].includes(zip.readUInt8(at + 5))
    yield {
      rawName: zip.toString("utf8", at + ENTRY_BYTES, nameEnd),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      sizeBytes: zip.readUInt32LE(at + 24),
      unixMode: isUnix ? zip.readUInt16LE(at + 40) : 0,
      offset: zip.readUInt32LE(at + 42),
    }
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

function findEnd(zip: Buffer): number {
  const lowest = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = zip.length - END_BYTES; at >= lowest; at--) {
    if (zip.readUInt32LE(at) !== END_SIGNATURE) continue
    if (at + END_BYTES + zip.readUInt16LE(at + 20) === zip.length) return at
  }
  throw broken("its end is missing")
}

function checkEntry({ rawName, flags, unixMode, sizeBytes, packedBytes }: ZipEntry): void {
  const shown = showName(rawName)
  if ((flags & ENCRYPTED_FLAGS) !== 0) throw invalid(`the archive holds ${shown} encrypted`)
  if ((unixMode & UNIX_FILE_TYPE) === UNIX_SYMLINK) {
    throw invalid(`the archive holds ${shown} as a link; only plain files are read`)
  }
  if (sizeBytes === ZIP64_MARK || packedBytes === ZIP64_MARK) {
    throw invalid("the zip file is in the zip64 form, which is not read")
  }
}

async function content(zip: Buffer, entry: ZipEntry): Promise<Uint8Array> {
  const { offset, method, sizeBytes } = entry
  if (zip.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    throw broken("an entry is not where it should be")
  const start = offset + LOCAL_BYTES + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  const packed = zip.subarray(start, start + entry.packedBytes)
  if (packed.length !== entry.packedBytes) throw broken("it is cut off")
  if (method !== STORED && method !== DEFLATED) {
    throw invalid(`the archive uses compression method ${method}; only deflate is read`)
  }
  // The inflater refuses a limit of 0, hence at least one byte; the length is compared below.
  const limit = { maxOutputLength: Math.max(1, sizeBytes) }
  const bytes = method === STORED ? packed : await inflate(packed, limit)
  if (bytes.length !== sizeBytes || crc32(bytes) !== entry.crc) {
    throw broken(`${showName(entry.rawName)} does not match its checksum`)
  }
  return bytes
}

function isFolder(entry: ZipEntry): boolean {
  return (entry.unixMode & UNIX_FILE_TYPE) === UNIX_FOLDER
}

function broken(reason: string): DomainError {
  return invalid(`the zip file cannot be read: ${reason}`)
}
