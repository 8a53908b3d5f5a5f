import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { StartError } from "./errors.ts"
import { sha256Hex } from "./ids.ts"
import { openLockFile } from "./lock-file.ts"
import { findProcessBegin } from "./processes.ts"

let folder: string
let file: string
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lock-file-"))
  file = path.join(folder, "lock")
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  await rm(folder, { recursive: true })
})

/** A process of its own that takes the lock, says "held" or why not, and stays. */
async function startOwner(): Promise<{ child: ChildProcess; said: string }> {
  const script = `import { openLockFile } from ${JSON.stringify(path.join(import.meta.dirname, "lock-file.ts"))}
    await openLockFile(${JSON.stringify(file)}).then(() => console.log("held"), (e) => console.log(e.message))
    setInterval(() => {}, 1000)`
  const args = ["--import", "tsx", "--input-type=module", "-e", script]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  children.push(child)
  const [line] = await once(child.stdout, "data")
  return { child, said: String(line).trim() }
}

test("a second owner is refused with the pid of the first", async () => {
  const { child } = await startOwner()
  await expect(openLockFile(file)).rejects.toThrow(`pid ${child.pid}`)
  await expect(openLockFile(file)).rejects.toBeInstanceOf(StartError)
})

test("the same process cannot hold the lock twice", async () => {
  await using _lock = await openLockFile(file)
  await expect(openLockFile(file)).rejects.toThrow("this process itself")
})

test("a closed lock leaves nothing behind and can be taken again", async () => {
  await (await openLockFile(file))[Symbol.asyncDispose]()
  expect(await readdir(folder)).toEqual([])
  await using _again = await openLockFile(file)
})

test("a lock left by a killed process is taken over", async () => {
  const { child } = await startOwner()
  child.kill("SIGKILL")
  await once(child, "exit")
  await using _lock = await openLockFile(file)
  expect(await readFile(file, "utf8")).toContain(`${process.pid}\n`)
  expect(await readdir(folder)).toEqual(["lock"])
})

test("a lock whose pid now belongs to another process is taken over", async () => {
  const other = spawn("sleep", ["60"])
  children.push(other)
  await writeFile(file, `${other.pid}\nsome other beginning\nx\n`)
  await using _lock = await openLockFile(file)
  expect(other.exitCode).toBeNull()
})

test.each(["", "nonsense", "-1\nx\n", "0\nx\n"])(
  "a lock that says %j is taken over",
  async (text) => {
    await writeFile(file, text)
    await using _lock = await openLockFile(file)
  },
)

test("of many that find a dead owner's lock at once exactly one gets it", async () => {
  for (let round = 0; round < 10; round++) {
    await writeFile(file, `${process.pid}\nan earlier beginning ${round}\nx\n`)
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => openLockFile(file)))
    const taken = tries.flatMap((attempt) => (attempt.status === "fulfilled" ? attempt.value : []))
    expect(taken).toHaveLength(1)
    expect(await readdir(folder)).toEqual(["lock"])
    await taken[0]?.[Symbol.asyncDispose]()
  }
})

test("a takeover cut short by a kill does not keep the lock", async () => {
  await writeFile(file, "dead\n")
  await writeFile(`${file}.${sha256Hex("dead\n").slice(0, 12)}`, "also dead\n")
  await using _lock = await openLockFile(file)
  expect(await readdir(folder)).toEqual(["lock"])
})

test("closing does not remove a lock that someone else holds by now", async () => {
  const lock = await openLockFile(file)
  const began = await findProcessBegin(process.ppid)
  await writeFile(file, `${process.ppid}\n${began}\nx\n`)
  await lock[Symbol.asyncDispose]()
  expect(await readdir(folder)).toEqual(["lock"])
})
