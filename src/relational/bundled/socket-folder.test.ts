import { chmod, mkdtemp, rm, stat, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { makeSocketFolder, pickSocketFolder, socketFile } from "./socket-folder.ts"

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const deep = `/srv/${"deep/".repeat(20)}postgres`
let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "socket-"))
})

afterEach(async () => {
  await rm(root, { recursive: true })
})

test("the socket is in the server's own folder when its path is short enough", () => {
  expect(pickSocketFolder("/srv/hedgerow/postgres", 5432, owner)).toBe("/srv/hedgerow/postgres/run")
})

test("a deep folder gets a short one of its own, the same at every start", () => {
  const folder = pickSocketFolder(deep, 5432, owner)
  expect(Buffer.byteLength(socketFile(folder, 5432))).toBeLessThanOrEqual(103)
  expect(pickSocketFolder(deep, 5432, owner)).toBe(folder)
  expect(pickSocketFolder(`${deep}2`, 5432, owner)).not.toBe(folder)
  expect(pickSocketFolder(deep, 5432, { uid: 12345, gid: 1 })).not.toBe(folder)
})

test("length counts in bytes", () => {
  const letters = `/srv/${"é".repeat(45)}/postgres`
  expect(pickSocketFolder(letters, 5432, owner)).not.toContain("é")
})

test("the folder is closed to others, also when it was there and open", async () => {
  const folder = path.join(root, "run")
  await makeSocketFolder(folder, owner)
  await chmod(folder, 0o777)
  await makeSocketFolder(folder, owner)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test("a link in its place is refused", async () => {
  await symlink(tmpdir(), path.join(root, "run"))
  await expect(makeSocketFolder(path.join(root, "run"), owner)).rejects.toThrow(
    "not a folder of uid",
  )
})

test.runIf(owner.uid === 0)("another user's folder in its place is refused", async () => {
  const folder = path.join(root, "run")
  await makeSocketFolder(folder, { uid: 12345, gid: 12345 })
  await expect(makeSocketFolder(folder, owner)).rejects.toThrow("not a folder of uid 0")
})
