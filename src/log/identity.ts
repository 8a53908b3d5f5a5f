/**
 * The id of a log, kept in its folder. The stores remember by it how far they have read, so an id without its
 * segments is dangerous: new records would get positions that a store believes to have seen. Such a log gets
 * a new id and is read from its start.
 */
import { open, readFile, rename } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import type { Logger } from "../lib/logger.ts"
import { isErrno } from "../lib/system-error.ts"
import type { Place } from "./segment-file.ts"

const FORMAT = 1
const ID_FILE = "log-id"
const TEXT = /^hedgerow log, format (\d+)\n([\da-f-]{36})\n$/

export interface IdentityParts extends Place {
  readonly logger: Logger
  /** Whether the folder had no segment. */
  readonly isNew: boolean
  /** Whether no record is or was in the log. */
  readonly isEmpty: boolean
}

export async function loadIdentity(parts: IdentityParts): Promise<string> {
  const file = path.join(parts.folder, ID_FILE)
  const text = await findText(file)
  const known = text === undefined ? undefined : parseId(text, file)
  if (known !== undefined && !parts.isNew) return known
  const id = newUuid()
  if (text !== undefined) {
    const what = known === undefined ? "its id is damaged" : "its segments are gone"
    parts.logger.error({ folder: parts.folder, id }, `the log gets a new id: ${what}`)
  } else if (!parts.isEmpty) {
    parts.logger.error({ folder: parts.folder, id }, "the log gets a new id: its id is gone")
  }
  await writeId(parts, id)
  return id
}

function parseId(text: string, file: string): string | undefined {
  const [, format, id] = TEXT.exec(text) ?? []
  if (id !== undefined && Number(format) !== FORMAT) {
    throw new StartError(`${file} is of format ${format}; this version reads format ${FORMAT}`)
  }
  return id
}

/** Written aside and renamed: the id is there whole or not at all. */
async function writeId({ folder, files }: Place, id: string): Promise<void> {
  const file = path.join(folder, ID_FILE)
  const draft = `${file}.draft`
  const handle = await open(draft, "w", 0o600)
  try {
    await handle.writeFile(`hedgerow log, format ${FORMAT}\n${id}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await files.syncFolder(folder)
}

async function findText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}
