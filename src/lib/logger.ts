/** Logs: readable lines on a terminal, JSON elsewhere; secrets never reach them. */
import pino from "pino"
import pretty from "pino-pretty"

export type Logger = pino.Logger

export interface LogOptions {
  readonly form: "pretty" | "json"
  readonly level: string
}

/** Wherever these keys stand in a logged object, their value is not written. */
const SECRET_PATHS = [
  "authorization",
  "cookie",
  "password",
  "personal_api_key",
  "*.authorization",
  "*.cookie",
  "*.password",
  "*.personal_api_key",
]

/** Without what a database adds to its errors: `detail`, `where` and parameters hold the users' data. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint_name, table_name } = error as unknown as Record<string, unknown>
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...{ code, constraint_name, table_name },
    ...(error.cause === undefined ? {} : { cause: shownError(error.cause) }),
  }
}

export function openLogger({ form, level }: LogOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: "[hidden]" },
    serializers: { err: shownError },
  }
  if (form === "json") return pino(options)
  return pino(
    options,
    pretty({ colorize: process.stdout.isTTY === true, translateTime: "SYS:HH:MM:ss", sync: true }),
  )
}
