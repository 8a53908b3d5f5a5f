/**
 * The file by which a running server says who and where it is, and what can be concluded from it. The file
 * outlives a killed server, and its pid may belong to any other process by then: nothing here trusts it alone.
 */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { findCommandLine } from "../../lib/processes.ts"
import { isErrno } from "../../lib/system-error.ts"

interface PidFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly isReady: boolean
}

export function pidFilePath(dataFolder: string): string {
  return path.join(dataFolder, "postmaster.pid")
}

export async function findPidFile(dataFolder: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(dataFolder), "utf8").catch((error) => {
    if (isErrno(error, "ENOENT")) return ""
    throw error
  })
  return parsePidFile(text)
}

/** Lines: pid, data folder, start time, port, socket folder, address, shared memory, state. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split("\n").map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketFolder: lines[4] ?? "",
    isReady: lines[7] === "ready",
  }
}

/** True when this pid is, by its command line, the server of this very folder. */
export async function isServerOf(dataFolder: string, pid: number): Promise<boolean> {
  const command = await findCommandLine(pid)
  return command?.includes(`/postgres ${dataFolderArguments(dataFolder).join(" ")} -c `) ?? false
}

/** Always the first arguments, so that the server of a folder can be known by them. */
export function dataFolderArguments(dataFolder: string): string[] {
  return ["-D", dataFolder]
}
