/** A real capture server for tests: node:http on loopback, a real log in a folder of its own, two projects. */
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Clock, FixedClock } from "../lib/clock.ts"
import { openLogger } from "../lib/logger.ts"
import { type Log, openLog } from "../log/log.ts"
import { createCapture } from "./capture.ts"
import { CaptureCounts } from "./counts.ts"
import { type CapturedRequest, decodeRecord } from "./record.ts"
import { type FindProject, ProjectTokens } from "./tokens.ts"

export const NOW = "2026-11-16T12:00:00.000Z"
export const TOKEN = "phc_ana"
export const OTHER_TOKEN = "phc_bo"

const PROJECT_IDS = new Map([
  [TOKEN, 1],
  [OTHER_TOKEN, 2],
])
const READ_MAX_BYTES = 256 * 1024 * 1024

export interface TestCapture extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly counts: CaptureCounts
  readonly server: Server
  /** What was appended since the last time it was asked. */
  captured(): Promise<CapturedRequest[]>
}

export interface TestOptions {
  readonly findProject?: FindProject
  readonly append?: Log["append"]
  readonly trustProxy?: (address: string) => boolean
  readonly isClosing?: () => boolean
  readonly clock?: Clock
}

export async function openTestCapture(options: TestOptions = {}): Promise<TestCapture> {
  const folder = await mkdtemp(join(tmpdir(), "hedgerow-capture-"))
  const logger = openLogger({ form: "json", level: "silent" })
  const log = await openLog({ folder, logger })
  const counts = new CaptureCounts()
  const listener = createCapture({
    log: options.append === undefined ? log : { append: options.append },
    projects: new ProjectTokens(options.findProject ?? findTestProject),
    clock: options.clock ?? new FixedClock(NOW),
    trustProxy: options.trustProxy ?? (() => false),
    isClosing: options.isClosing ?? (() => false),
    ...{ counts, logger },
  })
  const server = createServer((request, response) => {
    if (!listener(request, response)) response.writeHead(418).end("not capture")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  let position = log.start()
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, counts, server },
    async captured() {
      const { records, next } = await log.read(position, READ_MAX_BYTES)
      position = next
      return records.map((record) => decodeRecord(record.payload))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await log.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function findTestProject(token: string) {
  const project_id = PROJECT_IDS.get(token)
  return project_id === undefined ? undefined : { project_id }
}

export interface Sent {
  readonly path?: string
  readonly method?: string
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export async function sendTo({ url }: TestCapture, sent: Sent) {
  const { path = "/e/", method = "POST", body, headers = {} } = sent
  const response = await fetch(url + path, {
    ...{ method, headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: findJson(text) }
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
