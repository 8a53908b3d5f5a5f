import path from "node:path"
import { StartError } from "../lib/errors.ts"
import { type Command, parseWords } from "./command.ts"
import { openFilledInstance, runTask } from "./instance.ts"
import { withProgress } from "./progress.ts"

export const backup: Command = {
  name: "backup",
  usage: "backup FOLDER",
  summary: "Copy the whole instance, running or not, into an empty folder.",

  async run(words) {
    const folder = parseFolder(words)
    const instance = await openFilledInstance()
    try {
      console.log(
        await withProgress((show) =>
          runTask(instance, { task: "back-up", payload: { folder }, show }),
        ),
      )
      return 0
    } finally {
      await instance[Symbol.asyncDispose]()
    }
  },
}

function parseFolder(words: readonly string[]): string {
  const { positionals } = parseWords({ args: [...words], options: {}, allowPositionals: true })
  const [folder, ...others] = positionals
  if (folder !== undefined && folder !== "" && others.length === 0) return path.resolve(folder)
  throw new StartError("backup: name one folder to write to, such as `backup /backups/monday`")
}
