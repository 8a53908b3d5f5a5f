/** The real program on a fresh data folder, for benchmarks. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Instance } from "../test/support/instance.ts"
import { Program } from "../test/support/process.ts"

export const KEY = "phx_benchmarkbenchmarkbenchmark"
export const TOKEN = "phc_benchmarkbenchmarkbenchmark"

export interface Platform extends AsyncDisposable, Instance {
  readonly program: Program
  readonly startMs: number
  stop(): Promise<void>
}

export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-bench-"))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export async function startPlatform(folder: string): Promise<Platform> {
  const begin = performance.now()
  const program = new Program(["start"], {
    HEDGEROW_DATA_DIR: path.join(folder, "data"),
    HEDGEROW_SETUP_API_KEY: KEY,
    HEDGEROW_SETUP_PROJECT_TOKEN: TOKEN,
    PORT: "0",
  })
  const address = await program.ready()
  const startMs = performance.now() - begin
  const stop = async () => {
    await program.stop()
  }
  const instance = { address, key: KEY, token: TOKEN }
  return { ...instance, program, startMs, stop, [Symbol.asyncDispose]: stop }
}
