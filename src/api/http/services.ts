/** Everything a handler may use, built once in `app.ts`. */
import type { BackgroundQuestions } from "../../analysis/background.ts"
import type { Questions } from "../../analysis/questions.ts"
import type { ColumnarChanges } from "../../columnar/changes.ts"
import type { ColumnarEngine } from "../../columnar/engine.ts"
import type { Config } from "../../config.ts"
import type { TxtResolver } from "../../domains/challenge.ts"
import type { JobQueue } from "../../jobs/queue.ts"
import type { Clock } from "../../lib/clock.ts"
import type { PluginSources } from "../../plugins/sources.ts"
import type { Database } from "../../relational/db.ts"

export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly database: Database
  /** No other process writes to the database, but for the command line. */
  readonly isSoleWriter: boolean
  /** Signs cookies, seals secrets. */
  readonly secretKey: string
  readonly jobs: JobQueue
  readonly txtResolver: TxtResolver
  readonly plugins: PluginSources
  /** Events and copies of persons, for questions about many of them. */
  readonly columnar: ColumnarEngine
  /** How changes of persons get there before the answer goes out. */
  readonly columnarChanges: ColumnarChanges
  /** Answers questions, now or later. */
  readonly questions: Questions
  readonly backgroundQuestions: BackgroundQuestions
}
