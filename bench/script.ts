/** Other processes of a measurement: a TypeScript file beside this one, its lines of output one by one. */
import { spawn } from "node:child_process"
import path from "node:path"
import { createInterface } from "node:readline"

export interface Script {
  readonly pid: number
  /** The next line it prints; an error when it ended without one. */
  line(): Promise<string>
  say(text: string): void
  stop(): void
}

export function startScript(name: string, words: readonly string[]): Script {
  const file = path.join(import.meta.dirname, name)
  const child = spawn(process.execPath, ["--import", "tsx", file, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid: child.pid ?? 0,
    async line() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${name} ended without an answer`)
      return value
    },
    say: (text) => child.stdin.write(`${text}\n`),
    stop: () => child.kill(),
  }
}
