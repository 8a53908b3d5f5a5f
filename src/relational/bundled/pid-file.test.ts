import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { findPidFile, isServerOf, parsePidFile } from "./pid-file.ts"

const lines = [
  "4711",
  "/srv/data",
  "1790000000",
  "5432",
  "/srv/run",
  "",
  " 5432001  98304",
  "ready   ",
]

test("the lines of a ready server are read", () => {
  const facts = { pid: 4711, port: 5432, socketFolder: "/srv/run", isReady: true }
  expect(parsePidFile(`${lines.join("\n")}\n`)).toEqual(facts)
})

test("a server that is starting or stopping is not ready", () => {
  for (const state of ["starting", "stopping", "standby "]) {
    const text = [...lines.slice(0, 7), state].join("\n")
    expect(parsePidFile(text)?.isReady).toBe(false)
  }
})

test("a file that is being written counts as far as it goes", () => {
  expect(parsePidFile("4711\n/srv/data\n")).toMatchObject({ pid: 4711, isReady: false })
})

test.each(["", "\n", "zero", "0", "-4711"])("a file that says %j names nobody", (text) => {
  expect(parsePidFile(text)).toBeUndefined()
})

test("a folder without the file has none", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "pid-file-"))
  expect(await findPidFile(folder)).toBeUndefined()
  await rm(folder, { recursive: true })
})

test("a process that is not PostgreSQL is no server of any folder", async () => {
  expect(await isServerOf("/srv/data", process.pid)).toBe(false)
})
