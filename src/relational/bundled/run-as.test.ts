import { chmod, mkdtemp, rename, rm, stat } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  openServerFolder,
  readNames,
  type ServerFolder,
  settings,
  writeName,
} from "../../../test/support/bundled-server.ts"
import { openBundledPostgres } from "../bundled.ts"
import { pickUser, type RootStrategy } from "./run-as.ts"

test.each([
  ["root:x:0:0\nnobody:x:65534:65534:\npostgres:x:101:104:", { uid: 101, gid: 104 }],
  ["root:x:0:0\ndaemon:x:1:1:\nnobody:x:65534:65533:", { uid: 65534, gid: 65533 }],
  [
    "# comment\nnobody:*:-2:-2:Unprivileged User:/:/bin/false",
    { uid: 2 ** 32 - 2, gid: 2 ** 32 - 2 },
  ],
  ["root:x:0:0\nana:x:1000:1000:", { uid: 1000, gid: 1000 }],
  ["", { uid: 65534, gid: 65534 }],
])("of the users %j an ordinary one is picked", (passwd, owner) => {
  expect(pickUser(passwd)).toEqual(owner)
})

describe.runIf(process.getuid?.() === 0)("as root", () => {
  let home: ServerFolder
  let folder: string

  beforeAll(async () => {
    home = await openServerFolder()
    folder = home.folder
  })

  afterAll(async () => {
    await home[Symbol.asyncDispose]()
  })

  function openAs(folder: string, rootStrategy: RootStrategy) {
    return openBundledPostgres({ folder, settings, rootStrategy })
  }

  test.each(["namespace", "capability"] as const)(
    "the %s way makes and runs a server inside a folder that only root may enter",
    async (way) => {
      const folder = home.beside(way)
      expect((await stat(path.dirname(folder))).mode & 0o777).toBe(0o700)
      await using server = await openAs(folder, way)
      await writeName(server, "bo")
      expect(await readNames(server)).toEqual(["bo"])
    },
  )

  test("the user way is refused there, naming the closed folder", async () => {
    await expect(openAs(home.beside("closed"), "user")).rejects.toThrow(
      /user: uid \d+ may not enter/,
    )
  })

  test("the user way makes a server in an open folder", async () => {
    const open = await mkdtemp("/tmp/bundled-open-")
    await chmod(open, 0o755)
    const server = await openAs(path.join(open, "postgres"), "user")
    await writeName(server, "bo")
    await server.close()
    await rm(open, { recursive: true })
  })

  test("every way takes over what another left", async () => {
    const open = await mkdtemp("/tmp/bundled-open-")
    await chmod(open, 0o755)
    const moved = path.join(open, "postgres")
    await rename(folder, moved)
    for (const way of ["user", "namespace", "capability", "user"] as const) {
      await using server = await openAs(moved, way)
      expect(await readNames(server)).toEqual(["ana"])
    }
    await rm(open, { recursive: true })
  })
})
