/**
 * One PostgreSQL for the whole test run, with one migrated template database; every test file clones it.
 * Durability is off: the data lives as long as the run.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { TestProject } from "vitest/node"
import { openQueue } from "../../src/jobs/queue.ts"
import { tasks } from "../../src/jobs/tasks/index.ts"
import { openLogger } from "../../src/lib/logger.ts"
import { connectionOptions, openBundledPostgres } from "../../src/relational/bundled.ts"
import { type DatabaseAddress, openDatabase } from "../../src/relational/db.ts"
import { migrate } from "../../src/relational/migrate.ts"

export const TEMPLATE = "hedgerow_template"

declare module "vitest" {
  interface ProvidedContext {
    server: DatabaseAddress
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-test-"))
  const server = await openBundledPostgres({
    folder: path.join(folder, "postgres"),
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "200",
    },
  })
  const address = { options: { ...connectionOptions(server) } }
  const close = async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await makeTemplate(address)
  } catch (error) {
    await close()
    throw error
  }
  project.provide("server", address)
  return close
}

async function makeTemplate(address: DatabaseAddress): Promise<void> {
  const admin = openDatabase(address, 1)
  await admin.db.unsafe(`create database ${TEMPLATE}`)
  await admin.close()
  const template = openDatabase({ options: { ...address.options, database: TEMPLATE } }, 2)
  await migrate(template)
  const logger = openLogger({ form: "json", level: "warn" })
  const queue = await openQueue({
    database: template,
    logger,
    tasks,
  })
  await queue[Symbol.asyncDispose]()
  await template.close()
}
