/** What the machine and its processes did meanwhile, from the kernel's own accounts. Linux only. */
import { readdirSync, readFileSync } from "node:fs"

/** Above this share, what others did on the machine is in the figures too. */
const OTHERS_SHARE_MAX = 0.1

/** Begins to watch all cores; the function it answers tells how busy they were, and with whom. */
export function watchCores(folder: string): () => string {
  const before = readTicks()
  const ownBefore = readOwnTicks(folder)
  return () => {
    const own = readOwnTicks(folder) - ownBefore
    const spent = readTicks().map((ticks, index) => ticks - (before[index] ?? 0))
    const total = spent.reduce((sum, ticks) => sum + ticks, 0)
    const sum = (...indexes: number[]) =>
      indexes.reduce((all, index) => all + (spent[index] ?? 0), 0)
    const busy = sum(0, 1, 2, 5, 6)
    const percent = (ticks: number) => `${Math.round((100 * Math.max(0, ticks)) / total)} %`
    const others = (busy - own) / total
    return [
      `busy ${percent(busy)}, waiting for disk ${percent(sum(4))}, taken by the host ${percent(sum(7))}`,
      others > OTHERS_SHARE_MAX ? `OTHER PROGRAMS TOOK ${percent(busy - own)}` : "",
    ]
      .filter((part) => part !== "")
      .join(", ")
  }
}

/** Of this measurement: its own processes, those that have ended included. */
function readOwnTicks(folder: string): number {
  return familyOf(process.pid, folder).reduce((sum, pid) => sum + ticksOf(pid), 0)
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // User and system time, then those of the children that have ended.
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0
  }
}

/** Of all cores: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTicks(): number[] {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n")
  return line.trim().split(/\s+/).slice(1, 9).map(Number)
}

/** The program, the bundled PostgreSQL (in a process group of its own) and all their children. */
export function familyOf(programPid: number, folder: string): number[] {
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
export function pssMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + pssKb(pid), 0) / 1024
}

function pssKb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  } catch {
    return 0
  }
}

const LOOK_EVERY_MS = 500

/** Looks at the memory of a program and its family until asked for the highest it saw, in MB. */
export function watchMemory(programPid: number, folder: string): () => number {
  let peakMb = 0
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, pssMb(familyOf(programPid, folder)))
  }, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    return Math.round(peakMb)
  }
}
