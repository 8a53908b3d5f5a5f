/**
 * Which file of the folder is the store. A marker names it, and is replaced by a rename: a crash at any moment
 * of a swap leaves the marker naming one whole file, and everything else is swept away at the next open.
 */
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { isErrno } from "../../lib/system-error.ts"

const MARKER = "current"
const STORE_FILE = /^store-(\d+)\.duckdb/

export async function findStoreFile(folder: string): Promise<string | undefined> {
  const name = await findMarked(folder)
  return name === undefined ? undefined : path.join(folder, name)
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

/** A name that no file of the folder has. */
export async function nextStoreFile(folder: string): Promise<string> {
  const numbers = (await readdir(folder)).map((name) => Number(STORE_FILE.exec(name)?.[1] ?? 0))
  return path.join(folder, `store-${Math.max(0, ...numbers) + 1}.duckdb`)
}

/** From here on, the file is the store. It must be whole, closed and on disk. */
export async function markStoreFile(folder: string, file: string): Promise<void> {
  const draft = path.join(folder, `${MARKER}.new`)
  await writeFile(draft, `${path.basename(file)}\n`, { flush: true })
  await rename(draft, path.join(folder, MARKER))
  await syncPath(folder)
}

/** Removes stores that are not the marked one, with what belongs to them. */
export async function sweepStoreFiles(folder: string): Promise<void> {
  const marked = await findMarked(folder)
  for (const name of await readdir(folder)) {
    const isOfMarked = marked !== undefined && name.startsWith(`${marked}`)
    if (STORE_FILE.test(name) && !isOfMarked) {
      await rm(path.join(folder, name), { recursive: true, force: true })
    }
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
