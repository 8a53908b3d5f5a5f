import { readConfig } from "../config.ts"
import { openLogger } from "../lib/logger.ts"
import { migrate } from "../relational/migrate.ts"
import { joinStores } from "../stores.ts"
import type { Command } from "./command.ts"

export const migrateCommand: Command = {
  name: "migrate",
  usage: "migrate",
  summary: "Bring the database up to date, and stop.",

  async run() {
    const config = readConfig()
    const logger = openLogger({ form: config.log, level: config.logLevel })
    const database = await joinStores(config, { logger })
    try {
      const applied = await migrate(database)
      for (const name of applied) console.log(`applied ${name}`)
      if (applied.length === 0) console.log("the database is up to date")
      return 0
    } finally {
      await database.close()
    }
  },
}
