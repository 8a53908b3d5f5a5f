/** Every command, one line each. */
import { backup } from "./backup.ts"
import type { Command } from "./command.ts"
import { deletions } from "./deletions.ts"
import { demo } from "./demo.ts"
import { keys } from "./keys.ts"
import { migrateCommand } from "./migrate.ts"
import { persons } from "./persons.ts"
import { restoreCommand } from "./restore.ts"
import { start } from "./start.ts"
import { versionCommand } from "./version.ts"

export const commands: readonly Command[] = [
  start,
  demo,
  keys,
  persons,
  deletions,
  backup,
  restoreCommand,
  migrateCommand,
  versionCommand,
]

export function usage(): string {
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(34)} ${summary}`)
  return ["Usage: hedgerow <command>", "", ...lines].join("\n")
}
