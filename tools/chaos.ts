/** `npm run chaos -- [--seconds N] [--kills N] [--seed S]`: kills the real program at bad moments; exit 1 if anything is lost. */
import { parseArgs } from "node:util"
import { runChaos } from "../test/chaos/run.ts"

const VIOLATIONS_SHOWN_MAX = 20

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "90" },
    kills: { type: "string", default: "32" },
    seed: { type: "string" },
    rate: { type: "string", default: "1500" },
  },
})
const plan = {
  seconds: Number(values.seconds),
  kills: Number(values.kills),
  seed: Number(values.seed ?? Math.floor(Date.now() / 1_000) % 100_000),
  eventsPerSecond: Number(values.rate),
}
console.log(`seed ${plan.seed}, ${plan.kills} kills, at least ${plan.seconds} s`)
const { violations, figures, kills, complaints } = await runChaos(plan, (line) =>
  console.error(`  … ${line}`),
)
for (const [name, figure] of Object.entries(figures)) console.log(`${name}: ${figure}`)
console.log(
  `kills: ${Object.entries(kills)
    .map((pair) => pair.join(" "))
    .join(", ")}`,
)
console.log(`errors logged by the server: ${complaints.length}`)
for (const line of new Set(complaints.map((one) => /"msg":"[^"]*"/.exec(one)?.[0] ?? one))) {
  console.log(`  ${line}`)
}
console.log(`violations: ${violations.length}`)
for (const violation of violations.slice(0, VIOLATIONS_SHOWN_MAX)) console.log(`  ${violation}`)
if (violations.length > 0) process.exitCode = 1
