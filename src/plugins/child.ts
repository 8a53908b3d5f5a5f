/** Runs another program once, within bounds of time and output, and without a shell in between. */
import { spawn } from "node:child_process"

const MAX_ERROR_BYTES = 64 * 1024

export interface ChildRequest {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** Written to its standard input, which is then closed. */
  readonly input?: string
  readonly timeoutMs: number
  readonly maxOutputBytes: number
}

export interface ChildResult {
  readonly stdout: string
  /** The first part of what it complained about. */
  readonly stderr: string
  /** `failed`: it ended with a code other than 0, or by a signal that is not ours. */
  readonly ended: "done" | "failed" | "timeout" | "too_much_output"
}

/** Rejects only when the program cannot be started. */
export function runChild(request: ChildRequest): Promise<ChildResult> {
  const { command, args, cwd, input, timeoutMs, maxOutputBytes } = request
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: "pipe", windowsHide: true })
    const output = new BoundedBuffer(maxOutputBytes)
    const errors = new BoundedBuffer(MAX_ERROR_BYTES)
    let stopped: "timeout" | "too_much_output" | undefined
    const stop = (reason: "timeout" | "too_much_output") => {
      stopped ??= reason
      child.kill("SIGKILL")
    }
    const timer = setTimeout(stop, timeoutMs, "timeout")
    child.stdout.on("data", (part: Buffer) => {
      if (!output.add(part)) stop("too_much_output")
    })
    child.stderr.on("data", (part: Buffer) => errors.add(part))
    // A program that ends before it has read everything closes the pipe; its exit says why.
    child.stdin.on("error", () => {})
    child.stdin.end(input ?? "")
    child.on("error", (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      const ended = stopped ?? (code === 0 ? "done" : "failed")
      resolve({ stdout: output.text(), stderr: errors.text(), ended })
    })
  })
}

class BoundedBuffer {
  readonly #parts: Buffer[] = []
  #roomBytes: number

  constructor(maxBytes: number) {
    this.#roomBytes = maxBytes
  }

  /** False when not all of it fits; what fits is kept. */
  add(part: Buffer): boolean {
    this.#parts.push(part.subarray(0, this.#roomBytes))
    const isWhole = part.length <= this.#roomBytes
    this.#roomBytes = Math.max(0, this.#roomBytes - part.length)
    return isWhole
  }

  text(): string {
    return Buffer.concat(this.#parts).toString("utf8")
  }
}
