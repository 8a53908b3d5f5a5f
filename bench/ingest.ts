import { createWriteStream, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { untilQueryable } from "../test/support/instance.ts"
import type { Benchmark, Options, Progress, Table } from "./benchmark.ts"
import { prepareLoad } from "./load.ts"
import { watchCores, watchMemory } from "./machine.ts"
import { makeFolder, startPlatform, TOKEN } from "./platform.ts"
import { referenceEvents } from "./reference-events.ts"
import { startScript } from "./script.ts"

const CONNECTIONS = 20
const BATCH_SIZE = 100
const SEED = 7
const THREADS = 2

/** From the first request until all can be queried, beside DuckDB reading the same events from a file. */
export const ingest: Benchmark = {
  name: "ingest",
  about:
    "Capture to queryable beside raw DuckDB read_json into typed columns (target: 40 %), bytes per event " +
    "(target: 1.2 ×), memory of all processes while ingesting (target: 1,500 MB). `--events N` for other sizes.",

  async run(progress, options) {
    const { folder, remove } = await makeFolder()
    try {
      const raw = await measureRaw(folder, options, progress)
      const ours = await measureOurs(folder, options, progress)
      return tableOf(ours, raw, options.events)
    } finally {
      await remove()
    }
  },
}

interface Raw {
  readonly loadMs: number
  readonly checkpointMs: number
  readonly bytes: number
}

async function measureRaw(
  folder: string,
  { events }: Options,
  progress: Progress,
): Promise<Raw & { machine: string }> {
  progress("writing the events to a file")
  const source = path.join(folder, "events.ndjson")
  await pipeline(Readable.from(lines(events)), createWriteStream(source))
  progress("raw load")
  const cores = watchCores(folder)
  const words = [source, path.join(folder, "raw.duckdb"), String(THREADS)]
  const raw = JSON.parse(await startScript("raw-load.ts", words).line()) as Raw
  return { ...raw, machine: cores() }
}

const LINES_PER_PIECE = 1_000

function* lines(count: number): Generator<string> {
  let piece: string[] = []
  for (const event of referenceEvents(count, SEED)) {
    piece.push(`${JSON.stringify(event)}\n`)
    if (piece.length < LINES_PER_PIECE) continue
    yield piece.join("")
    piece = []
  }
  yield piece.join("")
}

async function measureOurs(folder: string, { events }: Options, progress: Progress) {
  const platform = await startPlatform(folder)
  try {
    progress("making the requests")
    const load = await prepareLoad({
      ...{ address: platform.address, path: "/batch", token: TOKEN, connections: CONNECTIONS },
      ...{ batchSize: BATCH_SIZE, seed: SEED, madeEventCount: events },
    })
    progress("ingesting")
    const [cores, memory] = [
      watchCores(folder),
      watchMemory(platform.program.child.pid ?? 0, folder),
    ]
    const begin = performance.now()
    const sent = await load.send()
    const ackedMs = performance.now() - begin
    await untilQueryable(platform)
    const queryableMs = performance.now() - begin
    const measured = { sent, ackedMs, queryableMs, machine: cores(), memoryMb: memory() }
    await platform.stop()
    return { ...measured, bytes: storeBytes(path.join(folder, "data/columnar")) }
  } finally {
    await platform.stop()
  }
}

/** An orderly stop leaves all in the store's own file. */
function storeBytes(folder: string): number {
  return readdirSync(folder)
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
}

function tableOf(
  ours: Awaited<ReturnType<typeof measureOurs>>,
  raw: Awaited<ReturnType<typeof measureRaw>>,
  events: number,
): Table {
  const rate = (ms: number) => Math.round((1_000 * events) / ms)
  const percent = (ms: number) => `${Math.round((100 * raw.loadMs) / ms)} %`
  const perEvent = (bytes: number) => Math.round((10 * bytes) / events) / 10
  const generator = `generator ${Math.round(100 * ours.sent.generatorShare)} % of a core`
  return [
    ["what", "ours", "raw", "ratio", "target", "notes"],
    [
      ...[`${events} events queryable, events/s`, rate(ours.queryableMs), rate(raw.loadMs)],
      ...[percent(ours.queryableMs), "40 %", `${ours.machine}; raw: ${raw.machine}`],
    ],
    [
      ...["acked, events/s", rate(ours.ackedMs), "", percent(ours.ackedMs), ""],
      `ack p99 ${Math.round(ours.sent.p99Ms)} ms, max ${Math.round(ours.sent.maxMs)} ms; ${generator}`,
    ],
    ["raw with checkpoint, events/s", "", rate(raw.loadMs + raw.checkpointMs), "", "", ""],
    [
      ...["bytes per event, store closed", perEvent(ours.bytes), perEvent(raw.bytes)],
      ...[`${(ours.bytes / raw.bytes).toFixed(2)} ×`, "1.2 ×", "ours with persons and states"],
    ],
    ["memory at most while ingesting (PSS), MB", ours.memoryMb, "", "", 1_500, ""],
  ]
}
