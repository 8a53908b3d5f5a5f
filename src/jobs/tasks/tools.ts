/** What a task may use. */
import type { Clock } from "../../lib/clock.ts"
import type { Mailer } from "../../mail/mailer.ts"
import type { Database } from "../../relational/db.ts"

export interface TaskTools {
  readonly database: Database
  readonly mailer: Mailer
  readonly clock: Clock
}
