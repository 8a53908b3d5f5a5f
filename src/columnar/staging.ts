/**
 * Batches on disk, before they are in the store. A folder per batch holds one file of JSON lines per table; the
 * manifest comes last and by a rename, so a folder that has one is whole, and one without is swept away.
 */
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { isErrno } from "../lib/system-error.ts"
import type { LogMark, PreparedBatch } from "./engine.ts"

const MANIFEST = "manifest.json"
const POSITION_DIGITS = 16
/** Text is written in pieces of this size: large enough for speed, made in a few milliseconds. */
const PIECE_CHARACTERS = 512 * 1024

export interface StagedFile {
  readonly name: string
  /** Made while the file is written; the event loop goes on in between. */
  readonly lines: Iterable<string>
}

/** What is known once all lines are made. */
export interface LineFacts {
  /** Of the longest line. */
  readonly lineCharacters: number
}

interface StagedBatch<Manifest> {
  readonly mark: LogMark
  readonly files: readonly StagedFile[]
  readonly manifest: (facts: LineFacts) => Manifest
}

export class Staging<Manifest> {
  readonly #folder: string
  readonly #parse: (value: unknown) => Manifest

  constructor(folder: string, parse: (value: unknown) => Manifest) {
    this.#folder = folder
    this.#parse = parse
  }

  async write(batch: StagedBatch<Manifest>): Promise<PreparedBatch> {
    const folder = path.join(this.#folder, folderName(batch.mark))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const facts = await writeFiles(folder, batch.files)
    const text = JSON.stringify({ mark: batch.mark, manifest: batch.manifest(facts) })
    const draft = path.join(folder, `${MANIFEST}.new`)
    await writeFile(draft, text, { flush: true })
    await rename(draft, path.join(folder, MANIFEST))
    await Promise.all([syncFolder(folder), syncFolder(this.#folder)])
    return { mark: batch.mark, folder }
  }

  async read(folder: string): Promise<{ mark: LogMark; manifest: Manifest } | undefined> {
    try {
      const text = await readFile(path.join(folder, MANIFEST), "utf8")
      const { mark, manifest } = JSON.parse(text) as { mark: LogMark; manifest: unknown }
      return { mark, manifest: this.#parse(manifest) }
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined
      throw error
    }
  }

  /** Whole batches of a log, oldest first; what a crash left half written goes away. */
  async list(logId: string): Promise<readonly PreparedBatch[]> {
    const found: PreparedBatch[] = []
    for (const name of (await listNames(this.#folder)).sort()) {
      const folder = path.join(this.#folder, name)
      if (!name.startsWith(`${logId}-`)) continue
      const staged = await this.read(folder)
      if (staged === undefined) await rm(folder, { recursive: true, force: true })
      else if (staged.mark.log_id === logId) found.push({ mark: staged.mark, folder })
    }
    return found
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true })
  }
}

function folderName({ log_id, position }: LogMark): string {
  if (!/^[\w-]+$/.test(log_id)) throw new Error(`log id "${log_id}" is not letters and digits`)
  return `${log_id}-${String(position).padStart(POSITION_DIGITS, "0")}`
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, "ENOENT")) return []
    throw error
  }
}

/** Lines of JSON, on disk when this returns. */
export async function writeFiles(folder: string, files: readonly StagedFile[]): Promise<LineFacts> {
  let lineCharacters = 0
  for (const file of files) {
    lineCharacters = Math.max(lineCharacters, await writeLines(path.join(folder, file.name), file))
  }
  return { lineCharacters }
}

/** Answers the length of the longest line. The event loop goes on between two pieces. */
async function writeLines(file: string, { lines }: StagedFile): Promise<number> {
  const handle = await open(file, "w")
  try {
    let longest = 0
    let piece = ""
    let writing: Promise<unknown> = Promise.resolve()
    for (const line of lines) {
      if (line.length > longest) longest = line.length
      piece += line
      piece += "\n"
      if (piece.length < PIECE_CHARACTERS) continue
      await writing
      writing = handle.write(piece)
      piece = ""
    }
    await writing
    if (piece !== "") await handle.write(piece)
    await handle.datasync()
    return longest
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
