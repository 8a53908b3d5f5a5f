/**
 * Where the instance of a data folder listens, for commands that must talk to it: a running instance alone may
 * touch its log and its columnar store. The file names the process too, because what a `kill -9` left behind
 * would else lead to whoever listens there now.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { findProcessBegin } from "./lib/processes.ts"
import { isErrno } from "./lib/system-error.ts"

const FILE = "address"
const LIVE_TIMEOUT_MS = 2_000

/** Forgotten again when it is disposed of. */
export async function rememberAddress(dataDir: string, address: string): Promise<AsyncDisposable> {
  const file = path.join(dataDir, FILE)
  const text = `${address}\n${process.pid}\n${(await findProcessBegin(process.pid)) ?? ""}\n`
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
  return {
    async [Symbol.asyncDispose]() {
      if ((await findText(file)) === text) await rm(file, { force: true })
    },
  }
}

/** An address that can be called from this machine, and answers. */
export async function findRunningAddress(dataDir: string): Promise<string | undefined> {
  const text = await findText(path.join(dataDir, FILE))
  const [shown = "", pid = "", began = ""] = text?.split("\n") ?? []
  if (shown === "" || (await findProcessBegin(Number(pid))) !== began) return undefined
  const address = callableAddress(shown)
  return (await isLive(address)) ? address : undefined
}

/** Who listens on all addresses is called on the machine's own. */
function callableAddress(shown: string): string {
  return shown.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}

async function isLive(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LIVE_TIMEOUT_MS)
    return (await fetch(`${address}/_livez`, { signal })).ok
  } catch {
    return false
  }
}

async function findText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined
    throw error
  }
}
