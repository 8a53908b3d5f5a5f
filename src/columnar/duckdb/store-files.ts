/**
 * Which file of the folder is the store. A marker names it, and is replaced by a rename: a crash at any moment
 * of a swap leaves the marker naming one whole file, and everything else is swept away at the next open.
 */
import { copyFile, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { isErrno } from "../../lib/system-error.ts"

const MARKER = "current"
const STORE_FILE = /^store-(\d+)\.duckdb$/
/** With what belongs to it: a write-ahead log, say. */
const STORE_PART = /^store-(\d+)\.duckdb/

/** The marked file, or the only one there is; undefined in a folder without any. */
export async function findStoreFile(folder: string): Promise<string | undefined> {
  const marked = await findMarked(folder)
  if (marked !== undefined) {
    await checkThere(folder, marked)
    return path.join(folder, marked)
  }
  const [only, ...others] = await listStoreFiles(folder)
  if (only === undefined) return undefined
  if (others.length > 0) {
    throw new StartError(
      `${folder} holds ${[only, ...others].join(", ")} and no file "${MARKER}" that says which of them is the ` +
        `event store; write its name into that file`,
    )
  }
  await markStoreFile(folder, path.join(folder, only))
  return path.join(folder, only)
}

async function findMarked(folder: string): Promise<string | undefined> {
  const file = path.join(folder, MARKER)
  try {
    const name = (await readFile(file, "utf8")).trim()
    if (!STORE_FILE.test(name)) throw new StartError(`${file} names no store: "${name}"`)
    return name
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}

async function checkThere(folder: string, name: string): Promise<void> {
  try {
    await stat(path.join(folder, name))
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
    throw new StartError(
      `${path.join(folder, MARKER)} names the event store "${name}", which is not in ${folder}; put it back, or ` +
        `restore a backup`,
    )
  }
}

/** Empty ones are left by a crash before anything was in them. */
async function listStoreFiles(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => STORE_FILE.test(name)).sort()
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name))))
  return names.filter((_, index) => sizes[index]?.size !== 0)
}

/** A name that no file of the folder has. */
export async function nextStoreFile(folder: string): Promise<string> {
  const numbers = (await readdir(folder)).map((name) => Number(STORE_PART.exec(name)?.[1] ?? 0))
  return path.join(folder, `store-${Math.max(0, ...numbers) + 1}.duckdb`)
}

/** From here on, the file is the store. It must be whole, closed and on disk. */
export async function markStoreFile(folder: string, file: string): Promise<void> {
  const draft = path.join(folder, `${MARKER}.new`)
  await writeFile(draft, `${path.basename(file)}\n`, { flush: true })
  await rename(draft, path.join(folder, MARKER))
  await syncPath(folder)
}

/** Removes stores that are not the marked one, with what belongs to them; nothing while none is marked. */
export async function sweepStoreFiles(folder: string): Promise<void> {
  const marked = await findMarked(folder)
  if (marked === undefined) return
  for (const name of await readdir(folder)) {
    if (STORE_PART.test(name) && !name.startsWith(marked)) {
      await rm(path.join(folder, name), { recursive: true, force: true })
    }
  }
}

export async function removeStoreFile(file: string): Promise<void> {
  await rm(file, { force: true })
  await rm(`${file}.wal`, { force: true })
}

/** To a place that may be on another disk; there it is whole and on disk when this returns. */
export async function moveStoreFile(file: string, target: string): Promise<void> {
  try {
    await rename(file, target)
  } catch (error) {
    if (!isErrno(error, "EXDEV")) throw error
    await copyFile(file, target)
    await syncPath(target)
    await removeStoreFile(file)
  }
}

/** Makes a file's bytes, or a folder's names, survive a power loss. */
export async function syncPath(target: string): Promise<void> {
  const handle = await open(target, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
