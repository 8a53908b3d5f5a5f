/** Reads a tar file, gzipped or not, as a stream: what is not kept passes by and is never held. */
import { Readable, Transform } from "node:stream"
import { createGunzip } from "node:zlib"
import { type Entry, extract } from "tar-stream"
import { DomainError, invalid } from "../lib/errors.ts"
import type { ArchiveEntry, EntryGuard } from "./archive.ts"

const CHUNK_BYTES = 64 * 1024

export async function readTar(
  bytes: Uint8Array,
  guard: EntryGuard,
  { gzip }: { readonly gzip: boolean },
): Promise<readonly ArchiveEntry[]> {
  const unpacker = extract()
  const stages = [Readable.from(chunks(bytes)), ...(gzip ? [createGunzip()] : []), counter(guard)]
  // `pipe` does not hand errors on, so each stage ends the reader itself.
  for (const stage of stages) stage.on("error", (error) => unpacker.destroy(error))
  stages.reduce((from, to) => from.pipe(to as Transform)).pipe(unpacker)
  try {
    const entries: ArchiveEntry[] = []
    for await (const entry of unpacker) {
      const read = await readEntry(entry, guard)
      if (read) entries.push(read)
    }
    return entries
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw invalid("the tar file cannot be read: it is cut off or damaged")
  } finally {
    for (const stage of stages) stage.destroy()
    unpacker.destroy()
  }
}

async function readEntry(entry: Entry, guard: EntryGuard): Promise<ArchiveEntry | undefined> {
  const { name: rawName, type, size = 0 } = entry.header
  const name = guard.admit(rawName)
  if (type !== "file" && type !== "contiguous-file" && type !== "directory") {
    const shown = JSON.stringify(rawName.slice(0, 80))
    throw invalid(`the archive holds ${shown} as a ${type ?? "thing unknown"}; only plain files are read`)
  }
  const isKept = name !== undefined && type !== "directory" && guard.keeps(name, size)
  const parts: Buffer[] = []
  for await (const part of entry) if (isKept) parts.push(part)
  if (name === undefined || type === "directory") return undefined
  return { name, bytes: isKept ? Buffer.concat(parts) : undefined }
}

function counter(guard: EntryGuard): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        guard.count(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}
