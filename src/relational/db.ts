/**
 * The relational port: one driver, one dialect. `Db` is a tagged template that runs SQL, on the pool or
 * inside a transaction alike; values travel only as parameters. Times come back as the text the API
 * sends, so rows need no mapping.
 */
import postgres from "postgres"
import { StartError } from "../lib/errors.ts"
import { systemCode } from "../lib/system-error.ts"

// biome-ignore lint/complexity/noBannedTypes: the driver's own way to say "no custom types".
export type Db = postgres.ISql<{}>

export interface Database extends AsyncDisposable {
  /** For single statements: short reads share few connections, which the driver keeps full. */
  readonly db: Db
  /** Runs `work` in one transaction; again, from its start, when PostgreSQL asks for a retry. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** A connection of its own for long work outside transactions: locks of a session, upkeep of tables. */
  session<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** How many transactions of this process have ended; some of them changed nothing. */
  writeCount(): number
  close(): Promise<void>
}

export interface DatabaseAddress {
  /** A postgres:// address; or the socket's folder of the bundled server with the rest beside it. */
  readonly url?: string
  readonly options?: postgres.Options<Record<string, never>>
}

/**
 * Measured with 20 callers of a tiny select on 2 cores: 22,600 a second on one connection (the driver
 * pipelines), 10,600 on ten (a process switch each). Two, so that one slow read does not hold all others.
 */
const READ_CONNECTIONS = 2
const CONNECT_TIMEOUT_SECONDS = 10
/** Milliseconds; a large organization takes long to delete, a lock should never. */
const BUNDLED_BOUNDS = {
  lock_timeout: 20_000,
  statement_timeout: 300_000,
  idle_in_transaction_session_timeout: 60_000,
}
const CLOSE_TIMEOUT_SECONDS = 5
const TRANSACTION_ATTEMPTS = 4
const RETRY_CODES = new Set(["40001", "40P01"])

const OID = { int8: 20, timestamptz: 1184 }

const types = {
  timestamptz: {
    to: OID.timestamptz,
    from: [OID.timestamptz],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: wireTime,
  },
  int8: { to: OID.int8, from: [OID.int8], serialize: String, parse: Number },
}

export function openDatabase(address: DatabaseAddress, transactionConnections: number): Database {
  const reads = connect(address, READ_CONNECTIONS)
  const writes = connect(address, transactionConnections)
  const close = async () => {
    await Promise.all([reads, writes].map((pool) => pool.end({ timeout: CLOSE_TIMEOUT_SECONDS })))
  }
  let writeCount = 0
  return {
    db: reads as unknown as Db,
    writeCount: () => writeCount,
    async transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return (await writes.begin((tx) => work(tx as unknown as Db))) as T
        } catch (error) {
          const isLast = attempt === TRANSACTION_ATTEMPTS
          if (isLast || !RETRY_CODES.has(sqlState(error) ?? "")) throw error
        } finally {
          // After a failure too: a commit whose answer was lost has happened all the same.
          writeCount += 1
        }
      }
    },
    session: (work) => workAlone(address, work),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Reserved, so that a lost connection is an error instead of another session without the locks. */
async function workAlone<T>(address: DatabaseAddress, work: (db: Db) => Promise<T>): Promise<T> {
  const pool = connect(address, 1)
  try {
    const reserved = await pool.reserve()
    try {
      return await work(reserved as unknown as Db)
    } finally {
      reserved.release()
    }
  } finally {
    await pool.end({ timeout: CLOSE_TIMEOUT_SECONDS })
  }
}

/** Connections are made when they are first needed. */
function connect(address: DatabaseAddress, max: number) {
  const options = {
    ...address.options,
    max,
    types,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    connection: {
      ...{ application_name: "hedgerow", TimeZone: "UTC", DateStyle: "ISO, YMD" },
      // Poolers refuse parameters they do not know, so an external server has its own bounds.
      ...(address.url === undefined ? BUNDLED_BOUNDS : {}),
    },
    onnotice: () => {},
  } as unknown as postgres.Options<Record<string, never>>
  return address.url === undefined ? postgres(options) : postgres(address.url, options)
}

/** PostgreSQL's five-character error code, when the error is one of its own. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

/** Whether the server is away or cannot work at this moment: not the statement's fault, worth another try. */
export function isOutage(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) {
    return error.severity === "FATAL" || OUTAGE_STATES.test(error.code)
  }
  const code = systemCode(error) ?? ""
  const isOfSocket = SOCKET_CALLS.has((error as NodeJS.ErrnoException | null)?.syscall ?? "")
  return DRIVER_CODES.has(code) || (isOfSocket && SOCKET_CODES.has(code))
}

/** Connection, resources, operator, time limits, system; and a server that is a read-only replica now. */
const OUTAGE_STATES = /^(08...|53...|57014|57P..|55P03|58...|25006)$/

const DRIVER_CODES: ReadonlySet<string> = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
])
const SOCKET_CALLS: ReadonlySet<string> = new Set(["connect", "getaddrinfo", "read", "write"])
/** ENOENT is a bug when a file is missing, and an outage when the server's socket is. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOENT", "ENOTFOUND", "EAI_AGAIN"],
])

/** "2026-01-02 03:04:05.123+00" → "2026-01-02T03:04:05.123000Z": six digits, or none when zero. */
export function wireTime(text: string): string {
  if (!/[+-]00(:00)?$/.test(text)) throw new Error(`the session's time zone is not UTC: ${text}`)
  const [day = "", rest = ""] = text.split(" ")
  const [time = "", fraction] = rest.replace(/[+-]00(:00)?$/, "").split(".")
  return fraction === undefined ? `${day}T${time}Z` : `${day}T${time}.${fraction.padEnd(6, "0")}Z`
}

/** The only row, or undefined. */
export async function first<T>(rows: Promise<readonly T[]> | PromiseLike<readonly T[]>) {
  return (await rows)[0] as T | undefined
}

/** The only row; its absence is a bug. */
export async function one<T>(rows: PromiseLike<readonly T[]>): Promise<T> {
  const row = (await rows)[0]
  if (row === undefined) throw new Error("a statement that always yields a row gave none")
  return row
}

/** Fails with one line that names the address (never its password) when the server is not there. */
export async function checkConnection(database: Database, shownAddress: string): Promise<void> {
  try {
    await database.db`select 1`
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    throw new StartError(`cannot reach PostgreSQL at ${shownAddress}: ${reason}`, { cause: error })
  }
}
