import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { Benchmark } from "./benchmark.ts"
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
      const pssMb = processes.reduce((sum, pid) => sum + pssKb(pid), 0) / 1024
      await later.stop()
      return [
        ["what", "measured", "target"],
        ["first start, ms", Math.round(first.startMs), 5_000],
        ["later start, ms", Math.round(later.startMs), 2_000],
        [`idle memory of ${processes.length} processes (PSS), MB`, Math.round(pssMb), 300],
      ]
    } finally {
      await remove()
    }
  },
}

/** The program, the bundled PostgreSQL (in a process group of its own) and all their children. */
function familyOf(programPid: number, folder: string): number[] {
  const parents = new Map<number, number>()
  const roots = new Set([programPid])
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const pid = Number(name)
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]))
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder)) roots.add(pid)
    } catch {
      // It ended while we looked.
    }
  }
  const isFamily = (pid: number): boolean =>
    roots.has(pid) ||
    (parents.has(pid) && parents.get(pid) !== 0 && isFamily(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isFamily)
}

/** Shared pages are divided among those who share them, so the sum is what the machine spends. */
function pssKb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
}
