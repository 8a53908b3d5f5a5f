/** The load, seen from the run: started, ended, its journal read. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import path from "node:path"
import type { Journal } from "./journal.ts"

export interface LoadSettings {
  readonly port: number
  readonly token: string
  readonly seed: number
  readonly connections: number
  readonly eventsPerSecond: number
  readonly journalFile: string
}

export interface Load {
  /** Ends it while the server is up, so that it can bring its last requests through. */
  end(): Promise<Journal>
  /** At once, without a journal. */
  kill(): void
}

export function startLoad(settings: LoadSettings): Load {
  const script = path.join(import.meta.dirname, "load-process.ts")
  const words = ["--import", "tsx", script, JSON.stringify(settings)]
  const child = spawn(process.execPath, words, { stdio: ["pipe", "ignore", "inherit"] })
  const exited = once(child, "exit")
  return {
    kill: () => void child.kill("SIGKILL"),
    async end() {
      child.stdin.end("end\n")
      const [code] = (await exited) as [number | null]
      if (code !== 0) throw new Error(`the load ended with ${code}`)
      return JSON.parse(readFileSync(settings.journalFile, "utf8")) as Journal
    },
  }
}
