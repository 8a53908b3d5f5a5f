/** What the server says: the last lines in memory, to explain a failed start, and a file of bounded size. */
import { appendFileSync, renameSync, statSync } from "node:fs"

const FILE_MAX_BYTES = 1_000_000
const TAIL_LINE_COUNT = 8
const TAIL_LINE_MAX_LENGTH = 400

export class ServerLog {
  readonly #file: string
  #fileBytes: number
  #tail: string[] = []

  constructor(file: string) {
    this.#file = file
    this.#fileBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  }

  add(chunk: Buffer): void {
    const lines = chunk.toString().split("\n").filter(Boolean)
    const short = lines.slice(-TAIL_LINE_COUNT).map((line) => line.slice(0, TAIL_LINE_MAX_LENGTH))
    this.#tail = [...this.#tail, ...short].slice(-TAIL_LINE_COUNT)
    this.#write(chunk)
  }

  /** The last lines, each without its time and pid. */
  tail(): string {
    return this.#tail.map((line) => line.replace(/^.*? \[\d+\] /, "")).join(" | ")
  }

  /** A full disk must not end the program through its log. */
  #write(chunk: Buffer): void {
    try {
      if (this.#fileBytes + chunk.length > FILE_MAX_BYTES) {
        renameSync(this.#file, `${this.#file}.1`)
        this.#fileBytes = 0
      }
      appendFileSync(this.#file, chunk, { mode: 0o600 })
      this.#fileBytes += chunk.length
    } catch {}
  }
}
