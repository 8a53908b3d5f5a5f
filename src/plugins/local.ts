/** Plugins on the disk of the host: a folder or an archive, inside one folder that the operator names. */
import { constants } from "node:fs"
import { lstat, open, opendir, realpath } from "node:fs/promises"
import path from "node:path"
import { DomainError, invalid } from "../lib/errors.ts"
import { packageRoot } from "../lib/package-root.ts"
import { systemCode } from "../lib/system-error.ts"
import { MAX_ARCHIVE_BYTES, readArchive } from "./archive.ts"
import {
  checkFileSize,
  checkFiles,
  findText,
  isKeptFile,
  MAX_PLUGIN_FILES,
  type PluginFiles,
} from "./files.ts"
import { MANIFEST_NAME } from "./manifest.ts"

const MAX_FOLDER_DEPTH = 10
const MAX_FOLDER_ENTRIES = 5_000

/**
 * The files at a path, which is relative to the root or absolute inside it. Without a root nothing is read; the
 * root "/" allows any path. Links that lead out are refused, links inside a folder are passed over.
 */
export async function readLocalPlugin(
  place: string,
  localRoot: string | undefined,
): Promise<PluginFiles> {
  if (localRoot === undefined) throw invalid("plugins from this host's disk are switched off")
  try {
    const target = await confined(place, localRoot)
    const isFolder = (await lstat(target)).isDirectory()
    return isFolder ? await readPluginFolder(target) : await readArchive(await readWhole(target))
  } catch (error) {
    const code = systemCode(error)
    if (error instanceof DomainError || code === undefined) throw error
    throw invalid(`the path "${place}" cannot be read (${code})`)
  }
}

/** The files of a plugin that is part of this package. */
export async function readShippedPlugin(name: string): Promise<PluginFiles> {
  const folder = path.join(packageRoot, "src/plugins/shipped", name)
  try {
    return await readPluginFolder(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw invalid(`there is no shipped plugin "${name}"`)
  }
}

/** Compared as written, so that nothing outside is even looked at, then as it really is, with links followed. */
async function confined(place: string, localRoot: string): Promise<string> {
  const asked = path.resolve(localRoot, place)
  checkInside(place, { root: path.resolve(localRoot), target: asked })
  const target = await realpath(asked)
  checkInside(place, { root: await realpath(localRoot), target })
  return target
}

function checkInside(
  place: string,
  { root, target }: { readonly root: string; readonly target: string },
): void {
  const way = path.relative(root, target)
  const isOutside = way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way)
  if (isOutside) throw invalid(`the path "${place}" is outside the folder plugins may be in`)
}

/** The manifest is asked for first, so that a folder that is no plugin gives nothing away. */
async function readPluginFolder(folder: string): Promise<PluginFiles> {
  const manifest = await findFileText(path.join(folder, MANIFEST_NAME), MANIFEST_NAME)
  if (manifest === undefined) throw invalid(`the folder has no ${MANIFEST_NAME}`)
  const files = new Map<string, string>()
  for await (const name of walk(folder)) {
    if (files.size >= MAX_PLUGIN_FILES)
      throw invalid(`the folder has more than ${files.size} files`)
    const text = await findFileText(path.join(folder, name), name)
    if (text !== undefined) files.set(name, text)
  }
  return checkFiles(files)
}

async function* walk(root: string): AsyncGenerator<string> {
  const folders = [{ name: "", depth: 0 }]
  let entryCount = 0
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    for await (const entry of await opendir(path.join(root, folder.name))) {
      if (++entryCount > MAX_FOLDER_ENTRIES) {
        throw invalid(`the folder has more than ${MAX_FOLDER_ENTRIES} entries`)
      }
      const name = folder.name ? `${folder.name}/${entry.name}` : entry.name
      const isWanted = folder.depth < MAX_FOLDER_DEPTH && isKeptFile(`${name}/x.js`)
      if (entry.isDirectory() && isWanted) folders.push({ name, depth: folder.depth + 1 })
      if (entry.isFile() && isKeptFile(name)) yield name
    }
  }
}

async function findFileText(file: string, name: string): Promise<string | undefined> {
  const bytes = await readBounded(file, (sizeBytes) => checkFileSize(name, sizeBytes))
  return bytes && findText(bytes)
}

async function readWhole(file: string): Promise<Uint8Array> {
  const bytes = await readBounded(file, (sizeBytes) => {
    if (sizeBytes <= MAX_ARCHIVE_BYTES) return
    throw invalid(`the archive has ${sizeBytes} bytes; at most ${MAX_ARCHIVE_BYTES} are read`)
  })
  if (!bytes) throw invalid("the path is neither a folder nor a file")
  return bytes
}

/** Undefined for what is no plain file or not there; a link in the last place is not followed. */
async function readBounded(
  file: string,
  checkSize: (sizeBytes: number) => void,
): Promise<Uint8Array | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch((error: unknown) => {
    if (["ENOENT", "ELOOP", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined
    throw error
  })
  if (!handle) return undefined
  await using _closing = handle
  const facts = await handle.stat()
  if (!facts.isFile()) return undefined
  checkSize(facts.size)
  return handle.readFile()
}
