/** What a start finds after a process, a server or both were killed. */
import { spawn } from "node:child_process"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  killOwner,
  openServerFolder,
  query,
  readNames,
  readServerPid,
  type ServerFolder,
  settings,
  startOwner,
  writeName,
} from "../../../test/support/bundled-server.ts"
import { findCommandLine } from "../../lib/processes.ts"
import { findRunningPostgres, openBundledPostgres } from "../bundled.ts"

let home: ServerFolder
let folder: string

beforeAll(async () => {
  home = await openServerFolder()
  folder = home.folder
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
})

test("a server left by a killed owner is stopped and replaced", async () => {
  const owner = startOwner(folder)
  const strayPid = await readServerPid(owner)
  await killOwner(owner)
  expect(await findCommandLine(strayPid)).toContain(folder)

  const notices: string[] = []
  const onNotice = (line: string) => notices.push(line)
  await using server = await openBundledPostgres({ folder, settings, onNotice })
  expect(await readNames(server)).toContain("ana")
  expect(server.pid).not.toBe(strayPid)
  expect(await findCommandLine(strayPid)).toBeUndefined()
  expect(notices.join()).toContain(`pid ${strayPid}`)
})

test("owner and server killed together cost nothing that was written", async () => {
  const owner = startOwner(folder)
  const serverPid = await readServerPid(owner)
  const running = await findRunningPostgres({ folder })
  if (running) await writeName(running, "bo")
  process.kill(serverPid, "SIGKILL")
  await killOwner(owner)
  await using server = await openBundledPostgres({ folder, settings })
  expect(await readNames(server)).toContain("bo")
})

test("a pid that has gone to a stranger neither blocks the start nor is it killed", async () => {
  const stranger = spawn("sleep", ["60"])
  const socketFolder = path.join(folder, "run")
  const lines = [stranger.pid, path.join(folder, "data"), 1, 5432, socketFolder, "", "", "ready"]
  await writeFile(path.join(folder, "data", "postmaster.pid"), `${lines.join("\n")}\n`)
  await mkdir(socketFolder, { recursive: true })
  await writeFile(path.join(socketFolder, ".s.PGSQL.5432.lock"), `${lines.join("\n")}\n`)

  await using server = await openBundledPostgres({ folder, settings })
  expect(await readNames(server)).toContain("ana")
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
})

test("a first start cut short leaves nothing that a later one trips over", async () => {
  const folder = home.beside("cut-short")
  const owner = startOwner(folder)
  await expect
    .poll(() => readdir(folder).catch(() => []), { timeout: 10_000 })
    .toContainEqual(expect.stringMatching(/^data\.draft-/))
  await sleep(100)
  await killOwner(owner)
  const server = await openBundledPostgres({ folder, settings })
  await writeName(server, "bo")
  await server.close()
  expect((await readdir(folder)).sort()).toEqual(["data", "server.log"])
})

test.runIf(process.platform === "linux")(
  "a session too busy to notice that its server was killed does not block the start",
  async () => {
    const server = await openBundledPostgres({ folder, settings })
    const endless = query(server, "do $$ begin loop end loop; end $$")
    const ended = expect(endless).rejects.toThrow()
    const isBusy = "select count(*)::int from pg_stat_activity where query like '%loop%'"
    await expect.poll(() => query(server, isBusy)).toEqual([[2]])
    process.kill(server.pid, "SIGKILL")
    await server.close()
    await using second = await openBundledPostgres({ folder, settings })
    expect(await readNames(second)).toContain("ana")
    await ended
  },
)

test("a running server that cannot be told by its folder is left alone", async () => {
  const server = await openBundledPostgres({ folder, settings })
  const moved = home.beside("moved")
  await rename(folder, moved)
  await rm(path.join(moved, "owner.lock"))
  await expect(openBundledPostgres({ folder: moved, settings })).rejects.toThrow("stop it first")
  await rename(moved, folder)
  expect(await readNames(server)).toContain("ana")
  await server.close()
})

test("a server that ends unasked is told with its reason", async () => {
  const reasons: string[] = []
  const onExit = (reason: string) => reasons.push(reason)
  await using server = await openBundledPostgres({ folder, settings, onExit })
  process.kill(server.pid, "SIGKILL")
  await expect.poll(() => reasons).toHaveLength(1)
  expect(reasons[0]).toContain("SIGKILL")
})

test("a server that was asked to end is not told of", async () => {
  const reasons: string[] = []
  const onExit = (reason: string) => reasons.push(reason)
  await (await openBundledPostgres({ folder, settings, onExit })).close()
  expect(reasons).toEqual([])
})
