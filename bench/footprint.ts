import { setTimeout as sleep } from "node:timers/promises"
import type { Benchmark } from "./benchmark.ts"
import { familyOf, pssMb } from "./machine.ts"
import { makeFolder, startPlatform } from "./platform.ts"

const SETTLE_MS = 10_000

/** Cold start and memory: of the real program, by the wall clock and by the kernel's own accounts. */
export const footprint: Benchmark = {
  name: "footprint",
  about:
    "Cold start (targets: first 5 s, later 2 s) and idle memory of all processes (target: 300 MB).",

  async run(progress) {
    const { folder, remove } = await makeFolder()
    try {
      progress("first start")
      const first = await startPlatform(folder)
      await first.stop()
      progress("second start")
      const later = await startPlatform(folder)
      progress("idle")
      await sleep(SETTLE_MS)
      const processes = familyOf(later.program.child.pid ?? 0, folder)
      const memoryMb = pssMb(processes)
      await later.stop()
      return [
        ["what", "measured", "target"],
        ["first start, ms", Math.round(first.startMs), 5_000],
        ["later start, ms", Math.round(later.startMs), 2_000],
        [`idle memory of ${processes.length} processes (PSS), MB`, Math.round(memoryMb), 300],
      ]
    } finally {
      await remove()
    }
  },
}
