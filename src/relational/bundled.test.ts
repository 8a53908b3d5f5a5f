import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  openServerFolder,
  query,
  readNames,
  type ServerFolder,
  settings,
  writeName,
} from "../../test/support/bundled-server.ts"
import { StartError } from "../lib/errors.ts"
import { isAlive } from "../lib/processes.ts"
import { findRunningPostgres, openBundledPostgres } from "./bundled.ts"

let home: ServerFolder
let folder: string

beforeAll(async () => {
  home = await openServerFolder()
  folder = home.folder
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
})

describe("a start in order", () => {
  test("a later start finds what an earlier one wrote", async () => {
    const first = await openBundledPostgres({ folder, settings })
    await writeName(first, "bo")
    await first.close()
    await using second = await openBundledPostgres({ folder, settings })
    expect(await readNames(second)).toContain("bo")
  })

  test("close stops the server, leaves no pid file and may be called twice", async () => {
    const server = await openBundledPostgres({ folder, settings })
    await Promise.all([server.close(), server.close()])
    expect(isAlive(server.pid)).toBe(false)
    expect(await readdir(path.join(folder, "data"))).not.toContain("postmaster.pid")
    expect((await readdir(folder)).sort()).toEqual(["data", "server.log"])
  })

  test("the server listens on no network address and only its owner may enter", async () => {
    await using server = await openBundledPostgres({ folder, settings })
    expect(await query(server, "show listen_addresses")).toEqual([[""]])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(server.socketFolder)).mode & 0o777).toBe(0o700)
  })

  test("text is UTF-8 in a locale that is the same on every machine", async () => {
    await using server = await openBundledPostgres({ folder, settings })
    const facts = "select current_setting('server_encoding'), datlocprovider::text, datlocale"
    const rows = await query(server, `${facts} from pg_database where datname = 'hedgerow'`)
    expect(rows).toEqual([["UTF8", "b", "C.UTF-8"]])
  })

  test.each([
    ["longer than a socket's path may be", "x".repeat(120)],
    ["with spaces, commas and quotes", `a, "b" it's`],
  ])("a folder %s works", async (_, name) => {
    const moved = home.beside(name)
    await rename(folder, moved)
    const server = await openBundledPostgres({ folder: moved, settings })
    expect(await readNames(server)).toContain("ana")
    const joined = await findRunningPostgres({ folder: moved })
    expect(joined?.socketFolder).toBe(server.socketFolder)
    await server.close()
    await rename(moved, folder)
    await expect(stat(server.socketFolder)).rejects.toThrow("ENOENT")
  })

  test("a second owner is refused while the first runs", async () => {
    await using server = await openBundledPostgres({ folder, settings })
    await expect(openBundledPostgres({ folder, settings })).rejects.toThrow(StartError)
    expect(await readNames(server)).toContain("ana")
  })

  test("another process joins a running server and leaves it running", async () => {
    expect(await findRunningPostgres({ folder })).toBeUndefined()
    await using server = await openBundledPostgres({ folder, settings })
    const joined = await findRunningPostgres({ folder })
    expect(joined).toMatchObject({ pid: server.pid, started: false })
    await joined?.close()
    expect(await readNames(server)).toContain("ana")
  })

  test("a folder that does not exist has no running server", async () => {
    expect(await findRunningPostgres({ folder: home.beside("nowhere") })).toBeUndefined()
  })
})

describe("a start that cannot be", () => {
  test("says which version wrote the folder when it is another", async () => {
    await writeFile(path.join(folder, "data", "PG_VERSION"), "17\n")
    const error = await openBundledPostgres({ folder, settings }).catch((reason) => reason)
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toMatch(/PostgreSQL 17.*bundles 18/)
    await writeFile(path.join(folder, "data", "PG_VERSION"), "18\n")
  })

  test("shows the server's own last words and frees the folder", async () => {
    const wrong = { ...settings, shared_buffers: "a lot" }
    const error = await openBundledPostgres({ folder, settings: wrong }).catch((reason) => reason)
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).toContain("shared_buffers")
    await using server = await openBundledPostgres({ folder, settings })
    expect(await readNames(server)).toContain("ana")
  })

  test("does not touch a folder named data that is not PostgreSQL's", async () => {
    const folder = home.beside("not-ours")
    await mkdir(path.join(folder, "data"), { recursive: true })
    await writeFile(path.join(folder, "data", "diary.txt"), "mine")
    await expect(openBundledPostgres({ folder, settings })).rejects.toThrow("holds no PostgreSQL")
    expect(await readFile(path.join(folder, "data", "diary.txt"), "utf8")).toBe("mine")
  })
})
