import path from "node:path"
import type { KeptJob } from "../backup/jobs.ts"
import { restore } from "../backup/restore.ts"
import { readConfig } from "../config.ts"
import { openQueue } from "../jobs/queue.ts"
import { tasks } from "../jobs/tasks/index.ts"
import { StartError } from "../lib/errors.ts"
import { type Logger, openLogger } from "../lib/logger.ts"
import type { Database } from "../relational/db.ts"
import { openStores } from "../stores.ts"
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
    const parts = {
      dataDir: config.dataDir,
      openStores: (dataDir: string) => openStores({ ...config, dataDir }, { logger }),
      enqueue: (database: Database, jobs: readonly KeptJob[]) => enqueueAll(database, jobs, logger),
    }
    const { createdAt, hasKey } = await withProgress((tell) => restore({ ...parts, tell }, folder))
    console.log(`restored the backup of ${createdAt} into ${config.dataDir}`)
    if (!hasKey && config.secretKey === undefined) {
      console.log("the backup has no secret key: set HEDGEROW_SECRET_KEY as it was set there")
    }
    return 0
  },
}

async function enqueueAll(
  database: Database,
  jobs: readonly KeptJob[],
  logger: Logger,
): Promise<void> {
  const known = new Set(tasks.map(({ name }) => name))
  const queue = await openQueue({ database, logger, tasks })
  try {
    await database.transaction(async (db) => {
      for (const { name, data } of jobs) if (known.has(name)) await queue.enqueue(db, name, data)
    })
  } finally {
    await queue[Symbol.asyncDispose]()
  }
}

function parseFolder(words: readonly string[]): string {
  const { positionals } = parseWords({ args: [...words], options: {}, allowPositionals: true })
  const [folder, ...others] = positionals
  if (folder !== undefined && folder !== "" && others.length === 0) return path.resolve(folder)
  throw new StartError("restore: name the folder of one backup")
}
