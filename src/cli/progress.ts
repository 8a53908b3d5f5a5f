/** Progress on the error output, so that what a command answers stays alone on the other: one line that changes on a
 * terminal, lines of their own elsewhere, where fewer of them say as much. */
import { elapsedMs } from "../lib/clock.ts"

const LINE_EVERY_MS = 1_000

export interface Progress {
  show(message: string): void
  /** Before anything else is printed. */
  end(): void
}

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export function createProgress(output: Output = process.stderr): Progress {
  if (output.isTTY === true) {
    return {
      show: (message) => void output.write(`\r\u001b[K${message}`),
      end: () => void output.write("\r\u001b[K"),
    }
  }
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    show(message) {
      if (elapsedMs() - lastMs < LINE_EVERY_MS) return
      lastMs = elapsedMs()
      output.write(`${message}\n`)
    },
    end: () => {},
  }
}

/** Shows progress while `work` runs. */
export async function withProgress<T>(work: (show: Progress["show"]) => Promise<T>): Promise<T> {
  const progress = createProgress()
  try {
    return await work(progress.show)
  } finally {
    progress.end()
  }
}
