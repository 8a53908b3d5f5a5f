/** What a task may use. */
import type { CalculationTools } from "../../cohorts/calculate.ts"
import type { ColumnarEngine } from "../../columnar/engine.ts"
import type { Ingest } from "../../ingest/loop.ts"
import type { Clock } from "../../lib/clock.ts"
import type { Logger } from "../../lib/logger.ts"
import type { Mailer } from "../../mail/mailer.ts"
import type { Database } from "../../relational/db.ts"

export interface TaskTools {
  readonly database: Database
  readonly mailer: Mailer
  readonly clock: Clock
  readonly columnar: ColumnarEngine
  readonly logger: Logger
  /** Present where this node captures. */
  readonly ingest: Ingest | undefined
  readonly dataDir: string
}

export function cohortToolsOf({ logger, ...tools }: TaskTools): CalculationTools {
  return {
    ...tools,
    onFailure: (err, cohort) => logger.warn({ err, cohort }, "a cohort could not be worked out"),
  }
}
