/** The command line: picks a command, and is the only place that sets an exit code. */
import { commands, usage } from "./cli/index.ts"
import { DomainError, StartError } from "./lib/errors.ts"

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const [name = "help", ...rest] = words
  if (name === "help" || name === "--help" || name === "-h") {
    console.log(usage())
    return 0
  }
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    console.error(`hedgerow: unknown command "${name}"\n\n${usage()}`)
    return 2
  }
  try {
    return await command.run(rest)
  } catch (error) {
    console.error(`hedgerow: ${explain(error)}`)
    return 1
  }
}

/** One line for what the operator can mend; the whole stack for what we must. */
function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof DomainError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
