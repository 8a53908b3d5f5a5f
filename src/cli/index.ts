/** Every command, one line each. */
import type { Command } from "./command.ts"
import { keys } from "./keys.ts"
import { migrateCommand } from "./migrate.ts"
import { start } from "./start.ts"
import { versionCommand } from "./version.ts"

export const commands: readonly Command[] = [start, migrateCommand, keys, versionCommand]

export function usage(): string {
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(34)} ${summary}`)
  return ["Usage: hedgerow <command>", "", ...lines].join("\n")
}
