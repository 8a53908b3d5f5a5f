/**
 * One owner per folder, across processes. The file names its owner by pid and by the moment that process
 * began, so a lock left by `kill -9` is taken over and a recycled pid does not keep it.
 *
 * 1. The owner's text is written to a private file and hard-linked to the lock's name: the lock appears
 *    whole or not at all, and only one of two starters gets it.
 * 2. A lock whose owner is gone is replaced only while holding a second lock, whose name is derived from the
 *    text of the dead one. So two starters that saw the same dead owner cannot both replace it, and one that
 *    comes late finds another text and starts over.
 */
import { link, readFile, rename, rm, writeFile } from "node:fs/promises"
import { StartError } from "./errors.ts"
import { randomToken, sha256Hex } from "./ids.ts"
import { findProcessBegin, isOfOtherUser } from "./processes.ts"
import { isErrno } from "./system-error.ts"

/** Each round ends because another process moved; more rounds than this mean something else is wrong. */
const MAX_ROUNDS = 20
/** Depth of locks on locks: each level needs a process killed within the few milliseconds of a takeover. */
const MAX_DEPTH = 4

interface Owner {
  readonly pid: number
  readonly began: string
}

/** Takes the lock or throws a StartError that names the process holding it. */
export async function openLockFile(file: string): Promise<AsyncDisposable> {
  const began = await findProcessBegin(process.pid)
  if (began === undefined)
    throw new StartError("cannot tell when this process began; is /proc there?")
  const text = `${process.pid}\n${began}\n${randomToken(8)}\n`
  await takeLock({ file, text, depth: 0 })
  return {
    async [Symbol.asyncDispose]() {
      if ((await findText(file)) === text) await rm(file, { force: true })
    },
  }
}

interface Claim {
  readonly file: string
  readonly text: string
  readonly depth: number
}

async function takeLock({ file, text, depth }: Claim): Promise<void> {
  const draft = `${file}.${process.pid}-${randomToken(8)}`
  await writeFile(draft, text, { flag: "wx", mode: 0o600 })
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (await linkNew(draft, file)) return
      const held = await findText(file)
      if (held === undefined) continue
      const owner = parseOwner(held)
      if (owner !== undefined && (await isSameProcess(owner))) throw heldBy(file, owner)
      if (await replaceDead({ file, text, depth }, { held, draft })) return
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new StartError(`the lock ${file} keeps changing hands; see what else starts on this folder`)
}

async function replaceDead(
  { file, text, depth }: Claim,
  { held, draft }: { held: string; draft: string },
): Promise<boolean> {
  if (depth === MAX_DEPTH) throw new StartError(`cannot take over the lock ${file}; remove it`)
  const takeover = `${file}.${sha256Hex(held).slice(0, 12)}`
  await takeLock({ file: takeover, text, depth: depth + 1 })
  try {
    if ((await findText(file)) !== held) return false
    await rename(draft, file)
    return true
  } finally {
    await rm(takeover, { force: true })
  }
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    throw error
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

/** A text that names nobody (empty after a power loss, say) counts as a dead owner's. */
function parseOwner(text: string): Owner | undefined {
  const [pidText = "", began = ""] = text.split("\n")
  const pid = Number(pidText)
  return Number.isSafeInteger(pid) && pid > 0 && began !== "" ? { pid, began } : undefined
}

async function isSameProcess(owner: Owner): Promise<boolean> {
  const began = await findProcessBegin(owner.pid)
  // Doubt keeps the lock: where /proc shows only one's own processes, this may be the owner.
  if (began === undefined) return isOfOtherUser(owner.pid)
  return began === owner.began
}

function heldBy(file: string, owner: Owner): StartError {
  const who = owner.pid === process.pid ? "this process itself" : "a running process"
  return new StartError(`${file} is held by ${who} (pid ${owner.pid}); stop it first`)
}
