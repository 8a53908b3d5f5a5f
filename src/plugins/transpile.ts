/**
 * TypeScript and JSX to JavaScript with esbuild. Nothing is run.
 *
 * Each file gets an esbuild process of its own (10 ms, measured). esbuild's long-lived service would cost 12 MB
 * beside us and 11 MB in us for as long as we run, and a hostile source takes it down for everyone: 64 KB of `!`
 * hold it for half a minute with 470 MB, 512 KB overflow its stack at 1 GB. Alone, such a process meets its own
 * limits of memory and time.
 */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { Gate } from "../lib/gate.ts"
import { runChild } from "./child.ts"
import { MAX_FILE_BYTES, type PluginFiles } from "./files.ts"

export type Transpiled =
  | { readonly status: "transpiled"; readonly code: string }
  | { readonly status: "error"; readonly error: string }

/** Turns a file that is not JavaScript into it; callers that keep what was compiled give their own. */
export type Compile = (name: string, text: string) => Promise<Transpiled>

const TIMEOUT_MS = 10_000
const MAX_CODE_BYTES = 4 * MAX_FILE_BYTES

/** Address space, of which an esbuild at rest takes 750 MB without using it. */
const MAX_ADDRESS_SPACE_KB = 1024 * 1024

const LOADERS: Readonly<Record<string, string>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".jsx": "jsx",
}
const ENTRY_FILE = /^(?:index|site|frontend)\.\w+$/

const gate = new Gate({ what: "plugin sources to compile", maxRunning: 2, maxWaiting: 50 })

export function needsTranspile(name: string): boolean {
  return path.extname(name) in LOADERS && !/\.d\.[cm]?ts$/.test(name)
}

/** The files that run on their own (`index`, `site`, `frontend`) and are not JavaScript yet, compiled. */
export async function transpileEntries(
  files: PluginFiles,
  compile: Compile = transpile,
): Promise<ReadonlyMap<string, Transpiled>> {
  const result = new Map<string, Transpiled>()
  for (const [name, text] of files) {
    if (!ENTRY_FILE.test(name) || !needsTranspile(name)) continue
    result.set(name, await compile(name, text))
  }
  return result
}

/** One file as JavaScript, or the first error as `file:line:column: what`. */
export async function transpile(name: string, text: string): Promise<Transpiled> {
  const loader = LOADERS[path.extname(name)] ?? "jsx"
  const options = ["--target=es2022", "--charset=utf8", "--tsconfig-raw={}"]
  const reports = ["--log-level=error", "--log-limit=1", "--color=false", `--sourcefile=${name}`]
  const { command, args } = limitMemory(esbuildPath(), [
    `--loader=${loader}`,
    ...options,
    ...reports,
  ])
  const result = await gate.run(() =>
    runChild({ command, args, input: text, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_CODE_BYTES }),
  )
  switch (result.ended) {
    case "done":
      return { status: "transpiled", code: result.stdout }
    case "failed":
      return { status: "error", error: describeError(result.stderr, { name, text }) }
    case "timeout":
      return { status: "error", error: `${name}: compiling takes longer than ${TIMEOUT_MS} ms` }
    case "too_much_output":
      return { status: "error", error: `${name}: compiles to more than ${MAX_CODE_BYTES} bytes` }
  }
}

/** esbuild prints `✘ [ERROR] what`, then the place, with the column in bytes from 0; editors count from 1. */
function describeError(stderr: string, { name, text }: { name: string; text: string }): string {
  const [, message] = /^✘ \[ERROR\] (.+)$/m.exec(stderr) ?? []
  if (!message) return `${name}: the compiler gives up on it, as on source nested too deeply`
  const [, line, column] = /^ {4}\S.*:(\d+):(\d+):$/m.exec(stderr) ?? []
  if (!line || !column) return `${name}: ${message}`
  const lineText = text.split(/\r\n|[\n\r\u2028\u2029]/, Number(line))[Number(line) - 1] ?? ""
  const before = Buffer.from(lineText).subarray(0, Number(column)).toString("utf8")
  return `${name}:${line}:${before.length + 1}: ${message}`
}

/** The native program itself: the one in `bin` is a script where install scripts are switched off. */
function esbuildPath(): string {
  const esbuild = createRequire(import.meta.url).resolve("esbuild/package.json")
  const isWindows = process.platform === "win32"
  const program = isWindows ? "esbuild.exe" : "bin/esbuild"
  const platform = `@esbuild/${process.platform}-${process.arch}`
  return createRequire(esbuild).resolve(`${platform}/${program}`)
}

/** Where there is a POSIX shell, it sets the limit and then becomes the program; values are arguments only. */
function limitMemory(command: string, args: readonly string[]) {
  if (!existsSync("/bin/sh")) return { command, args }
  const script = `ulimit -v ${MAX_ADDRESS_SPACE_KB} 2>/dev/null; exec "$0" "$@"`
  return { command: "/bin/sh", args: ["-c", script, command, ...args] }
}
