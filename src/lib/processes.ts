/** What can be learned of other processes by their pid: Linux tells through /proc, the others through `ps`. */
import { execFile } from "node:child_process"
import { readdir, readFile, readlink } from "node:fs/promises"
import { promisify } from "node:util"
import { systemCode } from "./system-error.ts"

const PS_TIMEOUT_MS = 5_000

/** True also for a process that has ended but that its parent has not yet collected. */
export function isAlive(pid: number): boolean {
  const answer = signalNothing(pid)
  return answer === undefined || answer === "EPERM"
}

/** True for a living process of another user, whose facts the system may hide from us. */
export function isOfOtherUser(pid: number): boolean {
  return signalNothing(pid) === "EPERM"
}

/** Tells a process from a later one with the same pid; undefined when it is gone, hidden or ended. */
export async function findProcessBegin(pid: number): Promise<string | undefined> {
  try {
    return process.platform === "linux" ? await readProcBegin(pid) : await askPs(pid, "lstart=")
  } catch {
    return undefined
  }
}

/** The program and its arguments, joined by spaces; undefined when it is gone, hidden or ended. */
export async function findCommandLine(pid: number): Promise<string | undefined> {
  try {
    if (process.platform !== "linux") return await askPs(pid, "command=")
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8")
    return words.replaceAll("\0", " ") || undefined
  } catch {
    return undefined
  }
}

/** The processes whose working folder this is, as far as Linux shows them; elsewhere none. */
export async function listProcessesIn(folder: string): Promise<number[]> {
  if (process.platform !== "linux") return []
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger)
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)),
  )
  return pids.filter((_, index) => folders[index] === folder)
}

async function readProcBegin(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8")
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (state === "Z" || state === "X") return undefined
  // Ticks since boot could repeat after a reboot, hence the boot's id before them.
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8")
  return `${boot.trim()} ${fields[18]}`
}

async function askPs(pid: number, column: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)("/bin/ps", ["-ww", "-o", column, "-p", `${pid}`], {
    env: { LC_ALL: "C", TZ: "UTC" },
    timeout: PS_TIMEOUT_MS,
  })
  return stdout.trim() || undefined
}

function signalNothing(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
    return undefined
  } catch (error) {
    return systemCode(error) ?? "unknown"
  }
}
