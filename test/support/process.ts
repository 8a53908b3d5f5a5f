/** The real program as a child process: started, read, stopped, killed. */
import { type ChildProcess, spawn } from "node:child_process"
import path from "node:path"
import { packageRoot } from "../../src/lib/package-root.ts"

const START_TIMEOUT_MS = 30_000

export interface Ended {
  readonly code: number | null
  readonly output: string
}

export class Program {
  readonly child: ChildProcess
  #output = ""
  readonly ended: Promise<Ended>

  constructor(words: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [path.join(packageRoot, "bin/hedgerow.mjs"), ...words], {
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        this.#output += bytes.toString()
      })
    }
    this.ended = new Promise((resolve) => {
      this.child.on("close", (code) => resolve({ code, output: this.#output }))
    })
  }

  get output(): string {
    return this.#output
  }

  /** Waits for the line that says it is ready; returns the address in it. */
  async ready(): Promise<string> {
    const deadline = performance.now() + START_TIMEOUT_MS
    for (;;) {
      const address = /"address":"([^"]+)".*is ready/.exec(this.#output)?.[1]
      if (address !== undefined) return address
      if (this.child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`the program did not start:\n${this.#output}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  stop(signal: NodeJS.Signals = "SIGINT"): Promise<Ended> {
    this.child.kill(signal)
    return this.ended
  }
}
