/**
 * A disk in memory that forgets as real ones do, for tests: what was not synced may be gone, whole or in
 * pages, after a crash; a failed sync loses bytes that a later one claims to have written; any operation can
 * be made to fail.
 */
import path from "node:path"
import type { LogFile, LogFiles } from "./files.ts"

export type Operation = keyof LogFile | keyof LogFiles
/** An error that the operation shall fail with, or for "write" a number of bytes after which it stops. */
export type Fault = (operation: Operation, file: string) => Error | number | undefined

const PAGE_BYTES = 16

/** What the system shows of a file, and what the disk has of it. */
interface Content {
  shown: Buffer
  /** Per byte of `shown`, 1 where a failed sync lost it: the next sync passes it over. */
  lost: Buffer
  kept: Buffer
}

export class SimulatedDisk implements LogFiles {
  readonly shownNames: Map<string, Content>
  #keptNames: Map<string, Content>
  #isGone = false
  readonly counts = new Map<Operation, number>()
  fault: Fault = () => undefined

  constructor(names: ReadonlyMap<string, Content> = new Map()) {
    this.shownNames = new Map(names)
    this.#keptNames = new Map(names)
  }

  async create(file: string): Promise<LogFile> {
    this.#begin("create", file)
    const content = this.shownNames.get(file) ?? emptyContent()
    this.shownNames.set(file, content)
    resize(content, 0)
    return this.#open(file, content)
  }

  async openToRead(file: string): Promise<LogFile> {
    this.#begin("openToRead", file)
    return this.#open(file, this.#content(file))
  }

  async openToMend(file: string): Promise<LogFile> {
    this.#begin("openToMend", file)
    return this.#open(file, this.#content(file))
  }

  async list(folder: string): Promise<string[]> {
    this.#begin("list", folder)
    return [...this.shownNames.keys()].map((file) => path.basename(file))
  }

  async sizeBytes(file: string): Promise<number> {
    this.#begin("sizeBytes", file)
    return this.#content(file).shown.length
  }

  async remove(file: string): Promise<void> {
    this.#begin("remove", file)
    this.shownNames.delete(file)
  }

  async syncFolder(folder: string): Promise<void> {
    this.#begin("syncFolder", folder)
    this.#keptNames = new Map(this.shownNames)
  }

  /** The disk after a power loss; `draw` gives numbers from 0 up to 1. This one answers nothing any more. */
  crash(draw: () => number): SimulatedDisk {
    this.#isGone = true
    const names = new Map<string, Content>()
    for (const file of new Set([...this.#keptNames.keys(), ...this.shownNames.keys()])) {
      const kept = this.#keptNames.get(file)
      const shown = this.shownNames.get(file)
      const content = kept === shown || draw() < 0.5 ? shown : kept
      if (content !== undefined) names.set(file, survivor(content, draw))
    }
    return new SimulatedDisk(names)
  }

  #open(file: string, content: Content): LogFile {
    return {
      write: async (parts, offset) => {
        const stop = this.#begin("write", file)
        const bytes = Buffer.concat(parts).subarray(0, stop)
        if (offset + bytes.length > content.shown.length) resize(content, offset + bytes.length)
        bytes.copy(content.shown, offset)
        content.lost.fill(0, offset, offset + bytes.length)
        return bytes.length
      },
      read: async (target, offset) => {
        this.#begin("read", file)
        return content.shown.copy(target, 0, offset)
      },
      truncate: async (sizeBytes) => {
        this.#begin("truncate", file)
        resize(content, sizeBytes)
      },
      sync: async () => this.#sync("sync", file, content),
      syncData: async () => this.#sync("syncData", file, content),
      close: async () => {},
    }
  }

  #sync(operation: Operation, file: string, content: Content): void {
    try {
      this.#begin(operation, file)
    } catch (error) {
      for (let at = 0; at < content.shown.length; at++) {
        if (content.shown[at] !== content.kept[at]) content.lost[at] = 1
      }
      throw error
    }
    const kept = Buffer.from(content.shown)
    for (let at = 0; at < kept.length; at++) if (content.lost[at]) kept[at] = content.kept[at] ?? 0
    content.kept = kept
  }

  #begin(operation: Operation, file: string): number | undefined {
    if (this.#isGone) throw Object.assign(new Error("the power is off"), { code: "EIO" })
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1)
    const fault = this.fault(operation, file)
    if (fault instanceof Error) throw fault
    return fault
  }

  #content(file: string): Content {
    const content = this.shownNames.get(file)
    if (content === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" })
    return content
  }
}

function emptyContent(): Content {
  return { shown: Buffer.alloc(0), lost: Buffer.alloc(0), kept: Buffer.alloc(0) }
}

function resize(content: Content, sizeBytes: number): void {
  const both = ["shown", "lost"] as const
  for (const key of both) {
    const resized = Buffer.alloc(sizeBytes)
    content[key].copy(resized)
    content[key] = resized
  }
}

/** Each page as it was shown or as it was kept; the length likewise. */
function survivor({ shown, kept, lost }: Content, draw: () => number): Content {
  const sizeBytes = draw() < 0.5 ? shown.length : kept.length
  const bytes = Buffer.alloc(sizeBytes)
  kept.copy(bytes)
  for (let page = 0; page < sizeBytes; page += PAGE_BYTES) {
    if (draw() < 0.5) continue
    for (let at = page; at < Math.min(page + PAGE_BYTES, shown.length); at++) {
      if (!lost[at]) bytes[at] = shown[at] as number
    }
  }
  return { shown: bytes, lost: Buffer.alloc(sizeBytes), kept: Buffer.from(bytes) }
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code })
}
