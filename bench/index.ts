/**
 * `npm run bench [name …] [-- --events N --persons N --sizes N,N]`: every benchmark, one line each. Figures are ratios taken
 * in one run: ours beside the bare thing, on the same machine, under the same load. Results to keep go to
 * bench/RESULTS.md by hand.
 */
import os from "node:os"
import { parseArgs } from "node:util"
import type { Benchmark } from "./benchmark.ts"
import { capture } from "./capture.ts"
import { dashboards } from "./dashboards.ts"
import { footprint } from "./footprint.ts"
import { ingest } from "./ingest.ts"
import { insights } from "./insights.ts"
import { managementReads } from "./management-reads.ts"
import { persons } from "./persons.ts"
import { printTable } from "./table.ts"

const benchmarks: readonly Benchmark[] = [
  footprint,
  managementReads,
  capture,
  ingest,
  persons,
  insights,
  dashboards,
]

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: "string", default: "200000" },
    persons: { type: "string", default: "1000000" },
    sizes: { type: "string", default: "1000000,10000000" },
  },
})
const options = {
  events: Number(values.events),
  persons: Number(values.persons),
  sizes: values.sizes.split(",").map(Number),
}
console.log(
  `${os.cpus().length} × ${os.cpus()[0]?.model ?? "cpu"}, Node ${process.version}, ${os.arch()}, ` +
    `load average before ${os.loadavg()[0]?.toFixed(1)}\n`,
)
for (const { name, about, run } of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`## ${name}\n\n${about}\n`)
  printTable(await run((line) => console.error(`  … ${line}`), options))
}
