import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, test } from "vitest"
import { StartError } from "../../lib/errors.ts"
import { findBinaries, prepareBinaries } from "./binaries.ts"

let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "binaries-"))
  await mkdir(path.join(root, "native/bin"), { recursive: true })
  await mkdir(path.join(root, "native/lib"))
  await writeFile(path.join(root, "package.json"), `{ "version": "18.4.0-beta.17" }`)
  for (const name of ["initdb", "postgres"]) {
    await writeFile(path.join(root, "native/bin", name), "#!/bin/sh\necho here\n", { mode: 0o644 })
  }
})

afterEach(async () => {
  await rm(root, { recursive: true })
})

async function writeLinks(...targets: string[]): Promise<void> {
  const links = targets.map((target) => ({ source: "native/lib/libpq.so.5.18", target }))
  await writeFile(path.join(root, "native/pg-symlinks.json"), JSON.stringify(links))
}

test("links that the install left out are made, by several starters at once", async () => {
  await writeLinks("native/lib/libpq.so", "native/lib/libpq.so.5")
  await Promise.all([1, 2, 3].map(() => prepareBinaries(root)))
  expect(await readlink(path.join(root, "native/lib/libpq.so.5"))).toBe("libpq.so.5.18")
  expect(await readlink(path.join(root, "native/lib/libpq.so"))).toBe("libpq.so.5.18")
})

test("a link that cannot be made stops the start and is named", async () => {
  await writeLinks("native/elsewhere/libpq.so")
  const error = await prepareBinaries(root).catch((reason) => reason)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toContain("native/elsewhere/libpq.so")
})

test("programs become executable", async () => {
  const { postgres } = await prepareBinaries(root)
  expect((await promisify(execFile)(postgres)).stdout).toBe("here\n")
})

test("a missing program stops the start and is named", async () => {
  await rm(path.join(root, "native/bin/initdb"))
  await expect(prepareBinaries(root)).rejects.toThrow("native/bin/initdb")
})

test("the major version is the package's", async () => {
  expect((await prepareBinaries(root)).major).toBe("18")
})

test("the programs of this platform run", async () => {
  const { postgres, major } = await findBinaries()
  const { stdout } = await promisify(execFile)(postgres, ["--version"])
  expect(stdout).toContain(`PostgreSQL) ${major}.`)
})
