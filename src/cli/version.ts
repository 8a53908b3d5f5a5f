import { version } from "../version.ts"
import type { Command } from "./command.ts"

export const versionCommand: Command = {
  name: "version",
  usage: "version",
  summary: "Print the version.",

  async run() {
    console.log(version)
    return 0
  },
}
