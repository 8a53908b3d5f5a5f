/** What the tests of the log share. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import pino from "pino"
import type { Logger } from "../lib/logger.ts"
import type { Log, LogRecord } from "./log.ts"

export interface LoggedLine {
  readonly level: number
  readonly msg: string
  readonly [name: string]: unknown
}

export const WARN = 40
export const ERROR = 50

/** A logger that remembers its warnings and errors. */
export function rememberingLogger(): { logger: Logger; lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const logger = pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { logger, lines }
}

export async function makeFolder(): Promise<AsyncDisposable & { readonly folder: string }> {
  const parent = await mkdtemp(path.join(tmpdir(), "log-"))
  return {
    folder: path.join(parent, "log"),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

type Readable = Pick<Log, "read" | "end">

/** All records from a position on, read in pieces of `maxBytes`. */
export async function readAll(log: Readable, from = 0, maxBytes = 100): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  let at = from
  while (at < log.end()) {
    const found = await log.read(at, maxBytes)
    records.push(...found.records)
    at = found.next
  }
  return records
}

export function textsOf(records: readonly LogRecord[]): string[] {
  return records.map(({ payload }) => payload.toString())
}

/** As some callers do: in several parts. */
export function partsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const middle = Math.floor(bytes.length / 2)
  return [bytes.subarray(0, middle), bytes.subarray(middle)]
}
