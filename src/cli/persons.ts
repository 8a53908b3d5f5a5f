import { StartError } from "../lib/errors.ts"
import { type Command, parseWords } from "./command.ts"
import { openFilledInstance, runTask } from "./instance.ts"
import { withProgress } from "./progress.ts"

export const persons: Command = {
  name: "persons",
  usage: "persons rebuild",
  summary: "Make the copies of persons that queries read anew from the database.",

  async run([action = "", ...words]) {
    if (action !== "rebuild") throw new StartError(`persons: use rebuild, not "${action}"`)
    parseWords({ args: [...words], options: {} })
    const instance = await openFilledInstance()
    try {
      console.log(
        await withProgress((show) =>
          runTask(instance, { task: "rebuild-persons", payload: {}, show }),
        ),
      )
      return 0
    } finally {
      await instance[Symbol.asyncDispose]()
    }
  },
}
