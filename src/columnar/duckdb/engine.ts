/** The columnar engine on DuckDB, in this process: one file, one owner. */
import path from "node:path"
import type { Clock } from "../../lib/clock.ts"
import type { Logger } from "../../lib/logger.ts"
import type { Query } from "../../query/tree.ts"
import type {
  ChangeId,
  CohortKey,
  ColumnarBatch,
  ColumnarChange,
  ColumnarEngine,
  EventDeletion,
  EventRow,
  MaxIds,
  MemberChange,
  PreparedBatch,
  QueryLimits,
  SquashOptions,
} from "../engine.ts"
import { Staging } from "../staging.ts"
import { appendStaged } from "./append.ts"
import { loadChange } from "./apply.ts"
import { type PropertyCatalogue, StoredCatalogue } from "./catalogue.ts"
import { Census } from "./census.ts"
import { changeMembers, removeMembers, replaceMembers, replaceMembersByQuery } from "./cohorts.ts"
import { backupStore, compactStore } from "./compaction.ts"
import { deleteEvents } from "./deletion.ts"
import { LateColumns } from "./late-columns.ts"
import { Manifest } from "./load.ts"
import { readMaxIds } from "./max-ids.ts"
import { migrateStore } from "./migrate.ts"
import { printSelect } from "./printer.ts"
import { fillColumns } from "./promotion.ts"
import {
  addPropertyColumns,
  noteOutside,
  type OutsideColumns,
  readCatalogue,
  takeCensus,
} from "./property-columns.ts"
import { type Question, queryPages, queryRows } from "./query.ts"
import { readTexts } from "./read-texts.ts"
import { SeenEvents } from "./seen-events.ts"
import { createShredder } from "./shred.ts"
import { squashAll } from "./squash.ts"
import { stageRows } from "./stage-batch.ts"
import { Store, type StoreOptions } from "./store.ts"
import { type EventKeys, surveyEvents } from "./survey.ts"

interface DuckDbOptions extends StoreOptions {
  readonly clock: Clock
}

export async function openDuckDb(options: DuckDbOptions): Promise<DuckDbEngine> {
  const store = await Store.open(options)
  const engine = new DuckDbEngine(store, options)
  await engine.refreshCatalogue()
  return engine
}

export class DuckDbEngine implements ColumnarEngine {
  readonly #store: Store
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #staging: Staging<Manifest>
  readonly #census = new Census()
  readonly #seen: SeenEvents
  /** Of batches this process prepared; those of a crash are compared with the store instead. */
  readonly #keysByFolder = new Map<string, EventKeys>()
  /** Columns that batches came too early for. */
  readonly #late = new LateColumns()
  #catalogue = new StoredCatalogue([])

  constructor(store: Store, { clock, logger }: DuckDbOptions) {
    this.#store = store
    this.#clock = clock
    this.#logger = logger
    this.#seen = new SeenEvents((work) => store.query(work))
    this.#staging = new Staging(path.join(store.folder, "staged"), (value) => Manifest.parse(value))
  }

  get changeCount(): number {
    return this.#store.changeCount
  }

  get catalogue(): PropertyCatalogue {
    return this.#catalogue
  }

  async refreshCatalogue(): Promise<void> {
    this.#catalogue = await this.#store.alone(readCatalogue)
  }

  async migrate(): Promise<readonly string[]> {
    const done = await this.#store.write(migrateStore)
    await this.refreshCatalogue()
    return done
  }

  async findPosition(logId: string): Promise<number | undefined> {
    const sql = "SELECT max(position) FROM log_marks WHERE log_id = $1 HAVING count(*) > 0"
    const rows = await this.#store.query((connection) => readTexts(connection, sql, [logId]))
    return rows[0] === undefined ? undefined : Number(rows[0][0])
  }

  async prepare(batch: ColumnarBatch): Promise<PreparedBatch> {
    await this.#promoteFrequent(batch)
    const survey = await surveyEvents(batch.events)
    this.#seen.expect(survey.keys)
    const staged = stageRows(batch, survey, this.#catalogue)
    const prepared = await this.#staging.write({ mark: batch.mark, ...staged })
    this.#keysByFolder.set(prepared.folder, survey.keys)
    return prepared
  }

  /** Columns for what is frequent, before the batch is taken apart, so that it already fills them. */
  async #promoteFrequent(batch: ColumnarBatch): Promise<void> {
    if (this.#catalogue.isFull()) return
    this.#census.observe(batch.events, this.#catalogue)
    await this.#addColumns(this.#census)
  }

  async #addColumns(census: Census): Promise<void> {
    if (census.listFrequent(this.#catalogue).length === 0) return
    try {
      this.#catalogue = await this.#store.write(async (tx) => {
        await addPropertyColumns(tx, this.#catalogue, census.listFrequent(this.#catalogue))
        return readCatalogue(tx)
      })
    } catch (error) {
      // A commit whose answer was lost has happened all the same.
      await this.refreshCatalogue()
      throw error
    }
  }

  async append(prepared: PreparedBatch): Promise<void> {
    const staged = await this.#staging.read(prepared.folder)
    if (staged === undefined) throw new Error(`${prepared.folder} holds no prepared batch`)
    const source = { folder: prepared.folder, manifest: staged.manifest }
    const keys = this.#keysByFolder.get(prepared.folder)
    const outside = this.#outsideOf(staged.manifest)
    this.#late.begin(outside.lateColumns)
    try {
      await this.#noteOutside(outside)
      await this.#store.write((tx) => {
        const load = {
          insertedAt: this.#clock.now(),
          suspects: keys && this.#seen.findSuspects(keys),
        }
        return appendStaged(tx, { source, mark: staged.mark, load })
      })
    } finally {
      this.#late.end(outside.lateColumns)
      // After a failure too: a commit whose answer was lost has happened all the same.
      if (keys === undefined) this.#seen.clear()
      else this.#seen.add(keys)
    }
    // It is stored: what cannot be removed now is swept at the next start, being before the mark.
    await this.discard(prepared).catch((error: unknown) => {
      const { folder } = prepared
      this.#logger.warn({ err: error, folder }, "an appended batch could not be removed")
    })
  }

  #outsideOf({ columns, strayKeys }: Manifest): OutsideColumns {
    const known = new Set(columns.map(({ column }) => column))
    const late = this.#catalogue.list().filter(({ column }) => !known.has(column))
    return {
      strayKeys: strayKeys.filter((key) => !this.#catalogue.isStray(key)),
      lateColumns: late.map(({ number }) => number),
    }
  }

  /** Before the rows are in, so that who reads them looks at the rest too. */
  async #noteOutside(outside: OutsideColumns): Promise<void> {
    if (outside.strayKeys.length + outside.lateColumns.length === 0) return
    await this.#store.write((tx) => noteOutside(tx, outside))
    await this.refreshCatalogue()
  }

  listPrepared(logId: string): Promise<readonly PreparedBatch[]> {
    return this.#staging.list(logId)
  }

  discard(prepared: PreparedBatch): Promise<void> {
    this.#keysByFolder.delete(prepared.folder)
    return this.#staging.remove(prepared.folder)
  }

  async apply(change: ColumnarChange, id?: ChangeId): Promise<void> {
    const { folder } = this.#store
    const survey = await surveyEvents(change.events ?? [])
    try {
      for (let isDone = false; !isDone; ) {
        await this.#noteOutside({ strayKeys: this.#strayKeysOf(survey.events), lateColumns: [] })
        const catalogue = this.#catalogue
        isDone = await this.#store.write(async (tx) => {
          // A column that appeared meanwhile may have strays of its own here.
          if (this.#catalogue !== catalogue) return false
          await loadChange(tx, { change, id, survey, folder, catalogue, now: this.#clock.now() })
          return true
        })
      }
    } finally {
      this.#seen.add(survey.keys)
    }
  }

  #strayKeysOf(events: readonly EventRow[]): readonly string[] {
    const found = new Set<string>()
    const shred = createShredder(this.#catalogue, found)
    for (const event of events) shred(event)
    return [...found].filter((key) => !this.#catalogue.isStray(key))
  }

  findMaxIds(): Promise<MaxIds> {
    return this.#store.query(readMaxIds)
  }

  rows(query: Query, limits: QueryLimits) {
    return queryRows(this.#question(query), limits)
  }

  stream(query: Query, limits: QueryLimits) {
    return queryPages(this.#question(query), limits)
  }

  #question(query: Query): Question {
    return {
      store: this.#store,
      catalogue: () => this.#catalogue,
      print: (catalogue) => printSelect(query, catalogue),
    }
  }

  replaceCohortMembers(
    cohort: CohortKey,
    members: Query | readonly string[],
    limits: QueryLimits,
  ): Promise<number> {
    if (!isList(members)) return replaceMembersByQuery(cohort, this.#question(members), limits)
    return this.#store.write((tx) => replaceMembers(tx, cohort, members))
  }

  changeCohortMembers(cohort: CohortKey, change: MemberChange): Promise<number> {
    return this.#store.write((tx) => changeMembers(tx, cohort, change))
  }

  removeCohort(cohort: CohortKey): Promise<void> {
    return this.#store.write((tx) => removeMembers(tx, cohort))
  }

  squashOverrides(options: SquashOptions = {}): Promise<number> {
    return squashAll(this.#store, options)
  }

  async promoteProperties(): Promise<readonly string[]> {
    if (!this.#catalogue.isFull()) {
      await this.#addColumns(await this.#store.query((tx) => takeCensus(tx, this.#catalogue)))
    }
    // Who reads must know a column before values move into it.
    await this.refreshCatalogue()
    const keys = await fillColumns(this.#store, this.#late.since())
    await this.refreshCatalogue()
    return keys
  }

  deleteEvents(deletions: readonly EventDeletion[]): Promise<number> {
    return this.#store.write((tx) => deleteEvents(tx, deletions))
  }

  compact(): Promise<void> {
    return compactStore(this.#store)
  }

  backup(folder: string, onBegun?: () => void): Promise<void> {
    return backupStore(this.#store, folder, onBegun)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Arrays that are only read are not told from other values by `Array.isArray`. */
function isList<T>(value: T | readonly string[]): value is readonly string[] {
  return Array.isArray(value)
}
