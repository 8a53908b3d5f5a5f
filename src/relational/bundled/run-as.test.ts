import { chmod, mkdtemp, rm, stat } from "node:fs/promises"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { readNames, settings, writeName } from "../../../test/support/bundled-server.ts"
import { packageRoot } from "../../lib/package-root.ts"
import { openBundledPostgres } from "../bundled.ts"
import { findClosedFolder, pickUser, type RootStrategy } from "./run-as.ts"

const NOBODY = { uid: 65534, gid: 65534 }
/** Where nobody else may enter the installation, an ordinary user cannot run its programs. */
const isOpenInstallation = (await findClosedFolder(packageRoot, NOBODY)) === undefined

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
  let root: string
  let folder: string

  beforeEach(async () => {
    root = await mkdtemp("/tmp/run-as-")
    folder = path.join(root, "postgres")
  })

  afterEach(async () => {
    await rm(root, { recursive: true })
  })

  function openAs(rootStrategy: RootStrategy) {
    return openBundledPostgres({ folder, settings, rootStrategy })
  }

  test.each(["namespace", "capability"] as const)(
    "the %s way makes and runs a server inside a folder that only root may enter",
    async (way) => {
      expect((await stat(root)).mode & 0o777).toBe(0o700)
      await using server = await openAs(way)
      await writeName(server, "bo")
      expect(await readNames(server)).toEqual(["bo"])
    },
  )

  test("the user way is refused there, naming the closed folder", async () => {
    await expect(openAs("user")).rejects.toThrow(/user: uid \d+ may not enter \/tmp\/run-as-/)
  })

  test("every way takes over what another left, the user way where all folders are open", async () => {
    await chmod(root, 0o755)
    const ways = ["capability", "namespace", "user", "capability", "user", "namespace"] as const
    const first = await openAs("namespace")
    await writeName(first, "bo")
    await first.close()
    for (const way of ways.filter((each) => each !== "user" || isOpenInstallation)) {
      await using server = await openAs(way)
      expect(await readNames(server)).toEqual(["bo"])
    }
  })
})
