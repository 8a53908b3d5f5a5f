import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ServerLog } from "./server-log.ts"

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "server-log-"))
  file = path.join(folder, "server.log")
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test("the tail is the last lines without their time and pid", () => {
  const log = new ServerLog(file)
  log.add(Buffer.from("2026-03-02 10:00:00.000 UTC [12] LOG:  starting\n"))
  log.add(Buffer.from("2026-03-02 10:00:00.010 UTC [12] FATAL:  no space\nmore\n"))
  expect(log.tail()).toBe("LOG:  starting | FATAL:  no space | more")
})

test("the tail stays short however much is said", () => {
  const log = new ServerLog(file)
  for (let index = 0; index < 20; index++) log.add(Buffer.from(`${"x".repeat(5_000)}\n`.repeat(3)))
  expect(log.tail().length).toBeLessThan(4_000)
})

test("the file keeps what was said, over starts and within its bound", async () => {
  new ServerLog(file).add(Buffer.from("first\n"))
  new ServerLog(file).add(Buffer.from("second\n"))
  expect(await readFile(file, "utf8")).toBe("first\nsecond\n")
  const log = new ServerLog(file)
  for (let index = 0; index < 50; index++) log.add(Buffer.alloc(60_000, "x"))
  expect((await readdir(folder)).sort()).toEqual(["server.log", "server.log.1"])
  expect((await stat(file)).size).toBeLessThanOrEqual(1_000_000)
  expect((await stat(`${file}.1`)).size).toBeLessThanOrEqual(1_000_000)
})

test("a file that cannot be written does not end the program", async () => {
  const log = new ServerLog(path.join(folder, "gone", "server.log"))
  log.add(Buffer.from("still here\n"))
  expect(log.tail()).toBe("still here")
})
