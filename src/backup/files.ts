/** Files of a backup: written once, on disk when the call returns, with what is needed to check them. */
import { createHash } from "node:crypto"
import { chmod, mkdir, open, readdir } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../lib/errors.ts"
import { isErrno } from "../lib/system-error.ts"

export interface FileEntry {
  /** From the backup's folder, with slashes. */
  readonly path: string
  readonly size_bytes: number
  readonly sha256: string
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** For the owner alone: secrets and people's data are in it. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
}

/** A folder that is not there counts as empty. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if (isErrno(error, "ENOENT")) return true
    if (isErrno(error, "ENOTDIR")) throw new StartError(`${folder} is a file, not a folder`)
    throw error
  }
}

/** Writes what comes into `name` of the folder. */
export async function writeEntry(folder: string, name: string, bytes: Bytes): Promise<FileEntry> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const hash = createHash("sha256")
  const handle = await open(file, "wx", 0o600)
  let size_bytes = 0
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size_bytes += chunk.length
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { path: name, size_bytes, sha256: hash.digest("hex") }
}

/** Describes a file that is already in the folder. */
export async function describeFile(folder: string, name: string): Promise<FileEntry> {
  const hash = createHash("sha256")
  let size_bytes = 0
  for await (const chunk of readChunks(path.join(folder, name))) {
    hash.update(chunk)
    size_bytes += chunk.length
  }
  return { path: name, size_bytes, sha256: hash.digest("hex") }
}

const CHUNK_BYTES = 1024 * 1024

/** What the file holds when its end is reached; it may grow meanwhile. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, "r")
  try {
    yield* readHandle(handle)
  } finally {
    await handle.close()
  }
}

export async function* readHandle(
  handle: Awaited<ReturnType<typeof open>>,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.alloc(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      offset,
    )
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Names of all files below the folder, with slashes, sorted; none when it is not there. */
export async function listFilesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .map((name) => name.split(path.sep).join("/"))
      .sort()
  } catch (error) {
    if (isErrno(error, "ENOENT")) return []
    throw error
  }
}

/** Makes the names in a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
