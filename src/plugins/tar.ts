/** Reads a tar file, gzipped or not, as a stream: what is not kept passes by and is never held. */
import { Readable, Transform } from "node:stream"
import { createGunzip } from "node:zlib"
import { type Extract, extract } from "tar-stream"
import { DomainError, invalid } from "../lib/errors.ts"
import { type ArchiveEntry, type EntryGuard, showName } from "./entry-guard.ts"

const CHUNK_BYTES = 64 * 1024

type TarEntry = Extract extends AsyncIterable<infer E> ? E : never

export async function readTar(
  bytes: Uint8Array,
  { guard, gzip }: { readonly guard: EntryGuard; readonly gzip: boolean },
): Promise<readonly ArchiveEntry[]> {
  const source = Readable.from(chunks(bytes))
  const gunzip = createGunzip()
  const counted = counter(guard)
  const unpacker = extract()
  const stages = [source, gunzip, counted]
  // `pipe` does not hand errors on, so each stage ends the reader itself.
  for (const stage of stages) stage.on("error", (error) => unpacker.destroy(error))
  const plain = gzip ? source.pipe(gunzip) : source
  plain.pipe(counted).pipe(unpacker)
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
    for (const stage of [...stages, unpacker]) stage.destroy()
  }
}

async function readEntry(entry: TarEntry, guard: EntryGuard): Promise<ArchiveEntry | undefined> {
  const { name: rawName, type, size } = entry.header
  const name = guard.admit(rawName)
  if (type !== "file" && type !== "contiguous-file" && type !== "directory") {
    throw invalid(`the archive holds ${showName(rawName)} as a ${type}; only plain files are read`)
  }
  const isFile = name !== undefined && type !== "directory"
  const isKept = isFile && guard.keeps(name, size)
  const parts: Uint8Array[] = []
  for await (const part of entry) {
    if (isKept && part instanceof Uint8Array) parts.push(part)
  }
  return isFile ? { name, bytes: isKept ? Buffer.concat(parts) : undefined } : undefined
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
