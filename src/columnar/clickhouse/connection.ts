/** One ClickHouse server: statements, inserts from files, and queries, each under a bound of time. */
import { Readable } from "node:stream"
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { StartError } from "../../lib/errors.ts"

/** Of a statement: mutations rewrite much. */
const STATEMENT_TIMEOUT_MS = 60 * 60 * 1_000
const CONNECTIONS_MAX = 32
const SERVER_VERSION_MIN = 25

export interface Address {
  readonly url: string
  readonly database: string
}

export class Connection {
  readonly client: ClickHouseClient
  readonly database: string

  constructor({ url, database }: Address) {
    this.database = database
    this.client = open(url, database)
  }

  static async open(address: Address): Promise<Connection> {
    await makeDatabase(address)
    return new Connection(address)
  }

  async run(sql: string): Promise<void> {
    await this.client.command({ query: sql })
  }

  /** Rows of texts; null where there is none. */
  async read(sql: string): Promise<readonly (readonly (string | null)[])[]> {
    const result = await this.client.query({
      query: sql,
      format: "JSONCompactStringsEachRow",
      clickhouse_settings: { max_query_size: String(QUERY_BYTES_MAX) },
    })
    return await result.json<(string | null)[]>()
  }

  /** Lines of JSON into a table; done when they can be read. */
  async insert(table: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const pieces = inPieces(lines)
    const first = await pieces.next()
    // The server takes an insert of nothing for a mistake.
    if (first.done === true) return
    const { stream } = await this.client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from(startingWith(first.value, pieces), { objectMode: false }),
      clickhouse_settings: INSERT_SETTINGS,
    })
    for await (const _ of stream);
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

const QUERY_BYTES_MAX = 1024 * 1024
const INSERT_BLOCK_ROWS = 1_048_576
const INSERT_BLOCK_BYTES = 256 * 1024 * 1024
const PIECE_CHARACTERS = 256 * 1024

const INSERT_SETTINGS = {
  async_insert: 0,
  // Events may claim to be of any month.
  max_partitions_per_insert_block: "0",
  // A line may be of many megabytes.
  input_format_parallel_parsing: 0,
  // As few parts as can be: what is inserted at once is then seen at once.
  min_insert_block_size_rows: String(INSERT_BLOCK_ROWS),
  min_insert_block_size_bytes: String(INSERT_BLOCK_BYTES),
} as const

async function* inPieces(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ""
  for await (const line of lines) {
    piece += `${line}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ""
  }
  if (piece !== "") yield piece
}

async function* startingWith(first: string, rest: AsyncIterable<string>) {
  yield first
  yield* rest
}

function open(url: string, database: string): ClickHouseClient {
  return createClient({
    url,
    database,
    application: "hedgerow",
    request_timeout: STATEMENT_TIMEOUT_MS,
    max_open_connections: CONNECTIONS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
  })
}

async function makeDatabase({ url, database }: Address): Promise<void> {
  const client = open(url, "default")
  try {
    const result = await client.query({ query: "SELECT version()", format: "TabSeparated" })
    const version = (await result.text()).trim()
    if (Number.parseInt(version, 10) < SERVER_VERSION_MIN) {
      throw new StartError(
        `ClickHouse ${SERVER_VERSION_MIN} or newer is needed, this is ${version}`,
      )
    }
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${sqlName(database)}` })
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`cannot use ClickHouse at ${new URL(url).host}: ${reason}`, {
      cause: error,
    })
  } finally {
    await client.close()
  }
}

function sqlName(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``
}
