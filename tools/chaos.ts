/**
 * `npm run chaos -- [--seconds N] [--kills N] [--seed S] [--rate N] [--skip-scenarios]`: kills the real program at
 * bad moments, then plays other misfortunes; exit 1 if anything acknowledged is lost, doubled or wrong.
 */
import { parseArgs } from "node:util"
import { type ChaosPlan, runChaos } from "../test/chaos/run.ts"
import { scenarios } from "../test/chaos/scenarios.ts"

const VIOLATIONS_SHOWN_MAX = 20

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "90" },
    kills: { type: "string", default: "32" },
    seed: { type: "string" },
    rate: { type: "string", default: "1500" },
    "skip-scenarios": { type: "boolean", default: false },
  },
})
const plan: ChaosPlan = {
  seconds: Number(values.seconds),
  kills: Number(values.kills),
  seed: Number(values.seed ?? Math.floor(Date.now() / 1_000) % 100_000),
  eventsPerSecond: Number(values.rate),
}
console.log(`seed ${plan.seed}, ${plan.kills} kills, at least ${plan.seconds} s`)
if (plan.kills > 0) await killOften()
if (!values["skip-scenarios"]) await playScenarios()

async function killOften(): Promise<void> {
  const result = await runChaos(plan, (line) => console.error(`  … ${line}`))
  const { violations, figures, kills, complaints } = result
  for (const [name, figure] of Object.entries(figures)) console.log(`${name}: ${figure}`)
  const moments = Object.entries(kills).map(([moment, count]) => `${moment} ${count}`)
  console.log(`kills: ${moments.join(", ")}`)
  console.log(`errors logged by the server: ${complaints.length}`)
  const messages = complaints.map((line) => /"msg":"[^"]*"/.exec(line)?.[0] ?? line)
  for (const message of new Set(messages)) console.log(`  ${message}`)
  show(violations)
}

async function playScenarios(): Promise<void> {
  for (const { name, run } of scenarios) {
    const { seen = "skipped: this machine lets nobody mount", violations } = await run(plan)
    console.log(`${name}: ${seen}`)
    show(violations)
  }
}

function show(violations: readonly string[]): void {
  console.log(`violations: ${violations.length}`)
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN_MAX)) console.log(`  ${violation}`)
  if (violations.length > 0) process.exitCode = 1
}
