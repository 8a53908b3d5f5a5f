/**
 * `npm run bench [name …]`: every benchmark, one line each. Figures are ratios taken in one run: ours beside
 * the bare thing, on the same machine, under the same load. Results to keep go to bench/RESULTS.md by hand.
 */
import os from "node:os"
import type { Benchmark } from "./benchmark.ts"
import { footprint } from "./footprint.ts"
import { managementReads } from "./management-reads.ts"
import { printTable } from "./table.ts"

const benchmarks: readonly Benchmark[] = [footprint, managementReads]

const wanted = process.argv.slice(2)
console.log(
  `${os.cpus().length} × ${os.cpus()[0]?.model ?? "cpu"}, Node ${process.version}, ${os.arch()}\n`,
)
for (const { name, about, run } of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`## ${name}\n\n${about}\n`)
  printTable(await run((line) => console.error(`  … ${line}`)))
}
