import { type ParseArgsConfig, parseArgs } from "node:util"
import { StartError } from "../lib/errors.ts"

export interface Command {
  readonly name: string
  /** How it is called, for the help text. */
  readonly usage: string
  readonly summary: string
  /** Returns the exit code. */
  run(words: readonly string[]): Promise<number>
}

/** Node's own parser, with its complaints as one line. */
export function parseWords<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}
