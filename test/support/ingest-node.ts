/** Ingestion with its own log and columnar store, beside a shared database; faults stand in for crashes. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { beforeAll } from "vitest"
import { createOrganization } from "../../src/api/organizations/store.ts"
import { createUser } from "../../src/api/users/store.ts"
import { RecentRequests } from "../../src/capture/recent.ts"
import { encodeRecord, type RecordHead } from "../../src/capture/record.ts"
import { openDuckDb } from "../../src/columnar/duckdb/engine.ts"
import type { ColumnarEngine } from "../../src/columnar/engine.ts"
import { IngestCounts } from "../../src/ingest/counts.ts"
import { type Ingest, type IngestParts, startIngest } from "../../src/ingest/loop.ts"
import { systemClock } from "../../src/lib/clock.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { openLogger } from "../../src/lib/logger.ts"
import { type Log, openLog } from "../../src/log/log.ts"
import { PersonCache } from "../../src/persons/cache.ts"
import { column, table } from "../../src/query/build.ts"
import type { Database } from "../../src/relational/db.ts"
import { openTestDatabase } from "./database.ts"

const logger = openLogger({ form: "json", level: "silent" })
export const LIMITS = { timeoutMs: 10_000 }

export let database: Database
export let projectId: number

/** One for all tests of a file, which keep apart by distinct ids. */
export function useIngestProject(): void {
  beforeAll(openProject)
}

async function openProject() {
  database = await openTestDatabase()
  const now = systemClock.now()
  const user = { first_name: "Ana", password_hash: null, is_email_verified: true, now }
  const ownerId = await createUser(database.db, { ...user, email: `${newUuid()}@example.com` })
  const { project } = await database.transaction((db) =>
    createOrganization(db, { name: "Acme", ownerId, now }),
  )
  projectId = project.id
  return () => database.close()
}

/** A node with its own log and columnar store; `fault` stands in for the moment of a crash. */
export class Node implements AsyncDisposable {
  readonly folder: string
  readonly counts = new IngestCounts()
  log!: Log
  engine!: ColumnarEngine
  ingest!: Ingest

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<Node> {
    const node = new Node(await mkdtemp(path.join(tmpdir(), "ingest-")))
    await node.open()
    return node
  }

  async open(fault: Partial<ColumnarEngine> = {}, parts: Partial<IngestParts> = {}): Promise<void> {
    const options = { memoryBytes: 256 * 1024 ** 2, threads: 2, logger, clock: systemClock }
    const folder = path.join(this.folder, "columnar")
    this.engine = await openDuckDb({ folder, ...options })
    await this.engine.migrate()
    this.log = await openLog({ folder: path.join(this.folder, "log"), logger })
    const columnar = new Proxy(this.engine, {
      get: (engine, name) => {
        const value = (fault as Record<PropertyKey, unknown>)[name] ?? Reflect.get(engine, name)
        return typeof value === "function" ? value.bind(engine) : value
      },
    })
    this.ingest = await startIngest({
      ...{ log: this.log, database, columnar, cache: new PersonCache(), clock: systemClock },
      ...{ logger, counts: this.counts, recent: new RecentRequests() },
      quarantineFolder: path.join(this.folder, "quarantine"),
      applyChanges: async () => {},
      ...parts,
    })
  }

  async close(): Promise<void> {
    await this.ingest[Symbol.asyncDispose]()
    await this.log.close()
    await this.engine.close()
  }

  async send(...events: object[]): Promise<void> {
    await this.log.append(encodeRecord(headNow(), Buffer.from(JSON.stringify(events))))
  }

  async events(distinctId: string): Promise<readonly string[]> {
    const rows = await this.engine.rows(
      {
        columns: [
          { expr: column("e", "event"), as: "event" },
          { expr: column("e", "distinct_id"), as: "distinct_id" },
        ],
        from: table("events", "e", projectId),
      },
      LIMITS,
    )
    return rows.filter((row) => row.distinct_id === distinctId).map((row) => String(row.event))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true })
  }
}

export function headNow(): RecordHead {
  return {
    ...{ project_id: projectId, received_at: Date.UTC(2026, 2, 2), ip: null, sent_at: null },
    shape: "array",
  }
}

export async function person(distinctId: string) {
  const [row] = await database.db<{ version: number; properties: string }[]>`
    select p.version, p.properties::text as properties from person p
    join person_distinct_id d on d.person_id = p.id
    where d.project_id = ${projectId} and d.distinct_id = ${distinctId}`
  return row && { version: row.version, ...(JSON.parse(row.properties) as { n?: number }) }
}
