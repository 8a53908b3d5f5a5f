import { writeFileSync } from "node:fs"
import path from "node:path"
import autocannon from "autocannon"
import type { Benchmark } from "./benchmark.ts"
import { KEY, makeFolder, startPlatform } from "./platform.ts"
import { startScript } from "./script.ts"

const SECONDS = 6
const CONNECTIONS = 20
const PATHS = [
  "/api/organizations/@current",
  "/api/organizations/@current/members",
  "/api/organizations/@current/domains",
  "/api/organizations/@current/pipeline_destinations",
]

const HEAD = [
  "read",
  "ours/s",
  "bare/s",
  "ratio",
  "p99 ms at half load",
  "bare p99",
  "ours/s, none repeated",
  "ratio",
]

/** Each read beside a bare Fastify route that returns the same value, one after the other. */
export const managementReads: Benchmark = {
  name: "management-reads",
  about:
    "Management reads beside a bare Fastify route with the same bytes (targets: 40 %, p99 at half load 10 ms).",

  async run(progress) {
    const { folder, remove } = await makeFolder()
    const platform = await startPlatform(folder)
    try {
      const rows = []
      for (const url of PATHS) {
        progress(url)
        rows.push(await compare(platform.address, url, folder))
      }
      return [HEAD, ...rows]
    } finally {
      await platform.stop()
      await remove()
    }
  },
}

async function compare(address: string, url: string, folder: string) {
  const headers = { authorization: `Bearer ${KEY}` }
  const response = await fetch(`${address}${url}`, { headers })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  const file = path.join(folder, "value.json")
  writeFileSync(file, await response.text())
  const bare = startScript("bare-server.ts", [file])
  const bareUrl = `${await bare.line()}/api`
  await load(`${address}${url}`, headers, { seconds: 2 })
  const bareRate = (await load(bareUrl, {}, { seconds: SECONDS })).rate
  const bareHalf = await load(
    bareUrl,
    {},
    {
      seconds: SECONDS,
      rate: Math.round(bareRate / 2),
    },
  )
  bare.stop()
  const ours = await load(`${address}${url}`, headers, { seconds: SECONDS })
  const half = await load(`${address}${url}`, headers, {
    seconds: SECONDS,
    rate: Math.round(ours.rate / 2),
  })
  const fresh = await load(`${address}${url}`, headers, { seconds: SECONDS, isFresh: true })
  const percent = (rate: number) => `${Math.round((100 * rate) / bareRate)} %`
  const [oursRate, freshRate] = [Math.round(ours.rate), Math.round(fresh.rate)]
  return [
    url,
    oursRate,
    Math.round(bareRate),
    percent(oursRate),
    half.p99,
    bareHalf.p99,
    freshRate,
    percent(freshRate),
  ]
}

interface Plan {
  readonly seconds: number
  readonly rate?: number
  /** Every request with an address of its own, so that no kept answer serves it. */
  readonly isFresh?: boolean
}

async function load(url: string, headers: Record<string, string>, plan: Plan) {
  let count = 0
  const { pathname } = new URL(url)
  const setupRequest = (request: object) => ({ ...request, path: `${pathname}?n=${count++}` })
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: plan.seconds,
    ...(plan.rate === undefined ? {} : { overallRate: plan.rate }),
    ...(plan.isFresh ? { requests: [{ setupRequest }] } : {}),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} failed requests`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}
