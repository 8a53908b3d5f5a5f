import { untilQueryable } from "../test/support/instance.ts"
import type { Benchmark, Cell } from "./benchmark.ts"
import { sendLoad } from "./load.ts"
import type { LoadPlan, LoadResult } from "./load-plan.ts"
import { watchCores, watchMemory } from "./machine.ts"
import { makeFolder, type Platform, startPlatform, TOKEN } from "./platform.ts"
import { askWhile } from "./questions.ts"
import { startScript } from "./script.ts"

const ROUNDS = 2
const SECONDS = 5
const WARM_UP_SECONDS = 2
const MADE_EVENT_COUNT = 20_000
const CONNECTIONS = 50
const STEADY_SECONDS = 20
const STEADY_EVENTS_PER_SECOND = 30_000
/** Above this share of a core the generator may be what is measured. */
const GENERATOR_SHARE_MAX = 0.9

/** A load, but for where it goes and how long. */
interface Kind {
  readonly name: string
  readonly path: string
  readonly batchSize: number
  readonly target: string
}

const KINDS: readonly Kind[] = [
  { name: "single events", path: "/capture", batchSize: 1, target: "70 %" },
  { name: "batches of 100", path: "/batch", batchSize: 100, target: "50 %" },
]

/** Acked after fsync, stored meanwhile, beside a bare server that only reads and parses. */
export const capture: Benchmark = {
  name: "capture",
  about:
    "Capture beside a bare node:http server that parses the same bodies (targets: 70 % single, 50 % batched), " +
    "and acks at 30,000 events/s while queries run (target: none over 250 ms, no query fails).",

  async run(progress) {
    const { folder, remove } = await makeFolder()
    const platform = await startPlatform(folder)
    try {
      const rows = []
      for (const kind of KINDS) {
        progress(kind.name)
        rows.push(await compare(platform, folder, kind))
      }
      progress("steady load with queries")
      return [HEAD, ...rows, ...(await steady(platform, folder))]
    } finally {
      await platform.stop()
      await remove()
    }
  },
}

const HEAD = [
  ...["load", "ours, events/s", "bare, events/s", "ratio", "target"],
  ...["ack p50 ms", "p99", "max", "notes"],
]

/** Every event a number of its own, so that none is taken for a retry. */
let nextNumber = 0

async function load(address: string, kind: Kind, plan: Partial<LoadPlan>): Promise<LoadResult> {
  const result = await sendLoad({
    ...{ address, path: kind.path, batchSize: kind.batchSize, token: TOKEN, seed: 1 },
    ...{ connections: CONNECTIONS, madeEventCount: MADE_EVENT_COUNT, firstNumber: nextNumber },
    ...plan,
  })
  nextNumber += result.requestCount * kind.batchSize
  return result
}

async function compare(platform: Platform, folder: string, kind: Kind): Promise<Cell[]> {
  const bare = startScript("bare-capture.ts", [])
  const bareAddress = await bare.line()
  const [ours, theirs]: [LoadResult[], LoadResult[]] = [[], []]
  await load(bareAddress, kind, { seconds: WARM_UP_SECONDS })
  await load(platform.address, kind, { seconds: WARM_UP_SECONDS })
  const busy: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await untilQueryable(platform)
    theirs.push(await load(bareAddress, kind, { seconds: SECONDS }))
    const cores = watchCores(folder)
    ours.push(await load(platform.address, kind, { seconds: SECONDS }))
    busy.push(cores())
  }
  const begin = performance.now()
  await untilQueryable(platform)
  const lagSeconds = ((performance.now() - begin) / 1_000).toFixed(1)
  bare.stop()
  const [rate, bareRate] = [rateOf(ours), rateOf(theirs)]
  const notes = [`stored ${lagSeconds} s after the last ack`, ...busy, ...warnings(ours, theirs)]
  const percent = `${Math.round((100 * rate) / bareRate)} %`
  return [
    ...[kind.name, Math.round(rate), Math.round(bareRate), percent, kind.target],
    ...latencyCells(ours),
    notes.join("; "),
  ]
}

async function steady(platform: Platform, folder: string): Promise<Cell[][]> {
  const kind: Kind = { name: "", path: "/batch", batchSize: 100, target: "" }
  const [cores, memory] = [watchCores(folder), watchMemory(platform.program.child.pid ?? 0, folder)]
  const { result, answers } = await askWhile(platform, () =>
    load(platform.address, kind, {
      seconds: STEADY_SECONDS,
      eventsPerSecond: STEADY_EVENTS_PER_SECOND,
    }),
  )
  const notes = [cores(), `memory at most ${memory()} MB`, ...warnings([result], [])]
  const begin = performance.now()
  await untilQueryable(platform)
  notes.push(`stored ${((performance.now() - begin) / 1_000).toFixed(1)} s after the last ack`)
  const name = `batches of 100 at ${STEADY_EVENTS_PER_SECOND} events/s, ${STEADY_SECONDS} s`
  return [
    [
      name,
      Math.round(rateOf([result])),
      "",
      "",
      "250 ms",
      ...latencyCells([result]),
      notes.join("; "),
    ],
    ...answers.map(({ url, latencies, errorCount }) => [
      ...[`meanwhile GET ${url}`, "", "", "", "no error"],
      ...[latencies.p50Ms, latencies.p99Ms, latencies.maxMs].map(Math.round),
      `${latencies.count} answers, ${errorCount} errors`,
    ]),
  ]
}

function rateOf(results: readonly LoadResult[]): number {
  const events = results.reduce((sum, { eventCount }) => sum + eventCount, 0)
  return events / results.reduce((sum, { seconds }) => sum + seconds, 0)
}

function latencyCells(results: readonly LoadResult[]): number[] {
  const worst = (read: (result: LoadResult) => number) => Math.max(...results.map(read))
  const figures = [worst((one) => one.p50Ms), worst((one) => one.p99Ms), worst((one) => one.maxMs)]
  return figures.map((ms) => Math.round(ms * 10) / 10)
}

function warnings(ours: readonly LoadResult[], theirs: readonly LoadResult[]): string[] {
  const told = (name: string, results: readonly LoadResult[]) => {
    const share = Math.max(0, ...results.map(({ generatorShare }) => generatorShare))
    if (share > GENERATOR_SHARE_MAX) return [`THE GENERATOR IS THE BOTTLENECK of ${name}`]
    return results.length === 0
      ? []
      : [`generator of ${name} ${Math.round(share * 100)} % of a core`]
  }
  return [...told("ours", ours), ...told("bare", theirs)]
}
