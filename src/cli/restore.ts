import path from "node:path"
import { restore } from "../backup/restore.ts"
import { readConfig } from "../config.ts"
import { StartError } from "../lib/errors.ts"
import { openLogger } from "../lib/logger.ts"
import { type Command, parseWords } from "./command.ts"
import { withProgress } from "./progress.ts"

export const restoreCommand: Command = {
  name: "restore",
  usage: "restore FOLDER",
  summary: "Fill an empty data folder from a backup; `start` serves it afterwards.",

  async run(words) {
    const folder = parseFolder(words)
    const config = readConfig()
    const logger = openLogger({ form: config.log, level: "warn" })
    const { createdAt, hasKey } = await withProgress((tell) =>
      restore({ config, logger, tell }, folder),
    )
    console.log(`restored the backup of ${createdAt} into ${config.dataDir}`)
    if (!hasKey && config.secretKey === undefined) {
      console.log("the backup has no secret key: set HEDGEROW_SECRET_KEY as it was set there")
    }
    return 0
  },
}

function parseFolder(words: readonly string[]): string {
  const { positionals } = parseWords({ args: [...words], options: {}, allowPositionals: true })
  const [folder, ...others] = positionals
  if (folder !== undefined && folder !== "" && others.length === 0) return path.resolve(folder)
  throw new StartError("restore: name the folder of one backup")
}
