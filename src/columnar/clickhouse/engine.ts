/** The columnar engine on a ClickHouse server. Batches are staged on this node's disk before they are sent. */
import { mkdir } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { Gate } from "../../lib/gate.ts"
import type { Logger } from "../../lib/logger.ts"
import type { Query } from "../../query/tree.ts"
import type {
  ChangeId,
  CohortKey,
  ColumnarBatch,
  ColumnarChange,
  ColumnarEngine,
  EventDeletion,
  MaxIds,
  MemberChange,
  PreparedBatch,
  QueryLimits,
  SquashOptions,
} from "../engine.ts"
import { Staging } from "../staging.ts"
import { appendStaged, findPosition } from "./append.ts"
import { applyChange } from "./apply.ts"
import { changeMembers, removeMembers, replaceMembers, replaceMembersByQuery } from "./cohorts.ts"
import { type Address, Connection } from "./connection.ts"
import { compactTables, deleteEvents } from "./deletion.ts"
import { stageRows } from "./lines.ts"
import { Manifest } from "./manifest.ts"
import { readMaxIds } from "./max-ids.ts"
import { migrateTables } from "./migrate.ts"
import { printSelect } from "./printer.ts"
import { type Question, queryPages, queryRows } from "./query.ts"
import { squashAll } from "./squash.ts"

export interface ClickHouseOptions extends Address {
  /** Where batches are staged. */
  readonly folder: string
  readonly memoryBytes: number
  readonly logger: Logger
}

const WRITES_WAITING_MAX = 1_000

export async function openClickHouse(options: ClickHouseOptions): Promise<ColumnarEngine> {
  const folder = path.resolve(options.folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return new ClickHouseEngine(await Connection.open(options), { ...options, folder })
}

class ClickHouseEngine implements ColumnarEngine {
  /** Other nodes write too. */
  readonly changeCount = undefined
  readonly #connection: Connection
  readonly #options: ClickHouseOptions
  readonly #staging: Staging<Manifest>
  /** Writes of this node one at a time: some read before they write. */
  readonly #writers = new Gate({
    what: "writes to the event store",
    maxRunning: 1,
    maxWaiting: WRITES_WAITING_MAX,
  })

  constructor(connection: Connection, options: ClickHouseOptions) {
    this.#connection = connection
    this.#options = options
    const folder = path.join(options.folder, "staged")
    this.#staging = new Staging(folder, (value) => Manifest.parse(value))
  }

  #write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#writers.run(() => work(this.#connection))
  }

  migrate(): Promise<readonly string[]> {
    return this.#write(migrateTables)
  }

  findPosition(logId: string): Promise<number | undefined> {
    return findPosition(this.#connection, logId)
  }

  prepare(batch: ColumnarBatch): Promise<PreparedBatch> {
    return this.#staging.write({ mark: batch.mark, ...stageRows(batch) })
  }

  async append(prepared: PreparedBatch): Promise<void> {
    const { folder } = prepared
    const staged = await this.#staging.read(folder)
    if (staged === undefined) throw new Error(`${folder} holds no prepared batch`)
    const source = { folder, manifest: staged.manifest }
    await this.#write((connection) => appendStaged(connection, source, staged.mark))
    // It is stored: what cannot be removed now is swept at the next start, being before the mark.
    await this.discard(prepared).catch((error: unknown) => {
      this.#options.logger.warn({ err: error, folder }, "an appended batch could not be removed")
    })
  }

  listPrepared(logId: string): Promise<readonly PreparedBatch[]> {
    return this.#staging.list(logId)
  }

  discard(prepared: PreparedBatch): Promise<void> {
    return this.#staging.remove(prepared.folder)
  }

  apply(change: ColumnarChange, id?: ChangeId): Promise<void> {
    const { folder } = this.#options
    return this.#write((connection) => applyChange(connection, { change, id, folder }))
  }

  findMaxIds(): Promise<MaxIds> {
    return readMaxIds(this.#connection)
  }

  rows(query: Query, limits: QueryLimits) {
    return queryRows(this.#question(query), limits)
  }

  stream(query: Query, limits: QueryLimits) {
    return queryPages(this.#question(query), limits)
  }

  #question(query: Query): Question {
    const { memoryBytes } = this.#options
    const printed = printSelect(query)
    const reprint = (refused: ReadonlySet<string>) => printSelect(query, refused)
    return { connection: this.#connection, memoryBytes, printed, reprint }
  }

  replaceCohortMembers(
    cohort: CohortKey,
    members: Query | readonly string[],
    limits: QueryLimits,
  ): Promise<number> {
    if (!isList(members)) return replaceMembersByQuery(cohort, this.#question(members), limits)
    return this.#write((connection) => replaceMembers(connection, cohort, members))
  }

  changeCohortMembers(cohort: CohortKey, change: MemberChange): Promise<number> {
    return this.#write((connection) => changeMembers(connection, cohort, change))
  }

  removeCohort(cohort: CohortKey): Promise<void> {
    return this.#write((connection) => removeMembers(connection, cohort))
  }

  squashOverrides(options: SquashOptions = {}): Promise<number> {
    return squashAll(this.#connection, options, (work) => this.#writers.run(work))
  }

  /** Properties are a map, which is read without parsing. */
  async promoteProperties(): Promise<readonly string[]> {
    return []
  }

  deleteEvents(deletions: readonly EventDeletion[]): Promise<number> {
    return this.#write((connection) => deleteEvents(connection, deletions))
  }

  compact(): Promise<void> {
    return compactTables(this.#connection)
  }

  async backup(): Promise<void> {
    throw new StartError(
      `events are in ClickHouse (database ${this.#options.database}): back them up there, with BACKUP DATABASE`,
    )
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Arrays that are only read are not told from other values by `Array.isArray`. */
function isList<T>(value: T | readonly string[]): value is readonly string[] {
  return Array.isArray(value)
}
