/** Several dashboards at once, each with all insights, while events come in. */
import path from "node:path"
import type { Benchmark, Cell } from "./benchmark.ts"
import { fillStore } from "./insight-data.ts"
import { INSIGHT_QUESTIONS } from "./insight-questions.ts"
import { sendLoad } from "./load.ts"
import { watchMemory } from "./machine.ts"
import { KEY, makeFolder, type Platform, startPlatform, TOKEN } from "./platform.ts"
import { latenciesOf } from "./questions.ts"

const DASHBOARDS = 8
const SECONDS = 30
const EVENTS_PER_SECOND = 2_000
const MEMORY_TARGET_MB = 1_500
const ACK_TARGET_MS = 250

export const dashboards: Benchmark = {
  name: "dashboards",
  about:
    `${DASHBOARDS} dashboards ask all insights again and again for ${SECONDS} s while ${EVENTS_PER_SECOND} events/s ` +
    `come in (targets: no error, none starves, no ack over ${ACK_TARGET_MS} ms, ${MEMORY_TARGET_MB} MB). ` +
    "Events stored before: the last of `--sizes`.",

  async run(progress, { sizes }) {
    const { folder, remove } = await makeFolder()
    try {
      await (await startPlatform(folder)).stop()
      await fillStore(path.join(folder, "data/columnar"), sizes.at(-1) ?? 0, progress)
      const platform = await startPlatform(folder)
      try {
        progress("asking while events come in")
        const memory = watchMemory(platform.program.child.pid ?? 0, folder)
        const stopping = new AbortController()
        const asking = Array.from({ length: DASHBOARDS }, (_, dashboard) =>
          askOften(platform, dashboard, stopping.signal),
        )
        const sent = await sendLoad({
          ...{ address: platform.address, path: "/batch", token: TOKEN, connections: 10 },
          ...{ batchSize: 50, seed: 3, madeEventCount: 10_000, firstNumber: 1, seconds: SECONDS },
          eventsPerSecond: EVENTS_PER_SECOND,
        })
        stopping.abort()
        const answers = (await Promise.all(asking)).flat()
        return tableOf(answers, { ackMaxMs: sent.maxMs, memoryMb: memory() })
      } finally {
        await platform.stop()
      }
    } finally {
      await remove()
    }
  },
}

interface Answered {
  readonly dashboard: number
  readonly what: string
  readonly ms: number
  readonly status: number
}

/** Each dashboard looks at a property of its own, so that none is served by another's answer. */
async function askOften(
  { address }: Platform,
  dashboard: number,
  signal: AbortSignal,
): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (let turn = dashboard; !signal.aborted; turn++) {
    const { what, asked } = INSIGHT_QUESTIONS[turn % INSIGHT_QUESTIONS.length] ?? { what: "" }
    const filter = {
      key: `dashboard-${dashboard}`,
      operator: "is_not_set",
      type: "event",
      value: "",
    }
    const begin = performance.now()
    const response = await fetch(new URL("/api/projects/@current/query", address), {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({
        query: { ...asked, properties: [filter] },
        refresh: "force_blocking",
      }),
    })
    await response.text()
    answers.push({ dashboard, what, ms: performance.now() - begin, status: response.status })
  }
  return answers
}

function tableOf(
  answers: readonly Answered[],
  { ackMaxMs, memoryMb }: { ackMaxMs: number; memoryMb: number },
): readonly (readonly Cell[])[] {
  const errors = answers.filter(({ status }) => status !== 200).length
  const counts = Array.from(
    { length: DASHBOARDS },
    (_, dashboard) => answers.filter((answer) => answer.dashboard === dashboard).length,
  )
  const rows = INSIGHT_QUESTIONS.map(({ what }): readonly Cell[] => {
    const { count, p50Ms, maxMs } = latenciesOf(
      answers.filter((answer) => answer.what === what).map(({ ms }) => ms),
    )
    return [what, count, Math.round(p50Ms), Math.round(maxMs), ""]
  })
  return [
    ["what", "answers", "median ms", "max ms", "target"],
    ...rows,
    ["errors", errors, "", "", 0],
    [
      "fewest and most answers of a dashboard",
      `${Math.min(...counts)}–${Math.max(...counts)}`,
      "",
      "",
      "",
    ],
    ["slowest ack", "", "", Math.round(ackMaxMs), ACK_TARGET_MS],
    ["memory at most (PSS), MB", memoryMb, "", "", MEMORY_TARGET_MB],
  ]
}
