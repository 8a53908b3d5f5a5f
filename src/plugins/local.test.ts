import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { zipSync } from "fflate"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { MAX_FILE_BYTES } from "./files.ts"
import { readLocalPlugin, readShippedPlugin } from "./local.ts"

let base: string
let root: string

async function write(name: string, text: string | Uint8Array): Promise<void> {
  const file = path.join(base, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), "hedgerow-local-"))
  root = path.join(base, "root")
  await write("root/good/plugin.json", "{}")
  await write("root/good/src/index.ts", "1")
  await write("root/good/.env.json", "secret")
  await write("root/good/node_modules/a/index.js", "secret")
  await write("root/good/logo.png", "x")
  await write("root/bare/index.ts", "1")
  await write("root/large/plugin.json", " ".repeat(MAX_FILE_BYTES + 1))
  await write("root/good.zip", zipSync({ "a/plugin.json": new TextEncoder().encode("{}") }))
  await write("root/text.txt", "hello")
  await write("outside/plugin.json", "{}")
  await write("outside/secret.json", "secret")
  await write("rooted/plugin.json", "{}")
  await symlink(path.join(base, "outside"), path.join(root, "way-out"))
  await symlink(path.join(root, "good"), path.join(root, "way-in"))
  await symlink(path.join(base, "outside/secret.json"), path.join(root, "good/linked.json"))
  await symlink(path.join(base, "outside"), path.join(root, "good/linked"))
})

afterAll(() => rm(base, { recursive: true, force: true }))

describe("a plugin on disk", () => {
  const good = new Map([
    ["plugin.json", "{}"],
    ["src/index.ts", "1"],
  ])

  test("is read from a folder, without links, hidden files, pictures and dependencies", async () => {
    expect(await readLocalPlugin("good", root)).toEqual(good)
    expect(await readLocalPlugin(path.join(root, "good"), root)).toEqual(good)
    expect(await readLocalPlugin("./way-in", root)).toEqual(good)
  })

  test("is read from an archive", async () => {
    expect(await readLocalPlugin("good.zip", root)).toEqual(new Map([["plugin.json", "{}"]]))
  })

  test("may be anywhere when the root is the whole disk", async () => {
    expect(await readLocalPlugin(path.join(root, "good"), "/")).toEqual(good)
  })

  test("is refused without a root", async () => {
    await expect(readLocalPlugin("good", undefined)).rejects.toThrow("switched off")
  })

  const outside = [
    "..",
    "../outside",
    "../rooted",
    "../gone",
    "/etc",
    "way-out",
    "way-out/secret.json",
  ]
  test.each(outside)("is refused at %s, outside the root", async (place) => {
    await expect(readLocalPlugin(place, root)).rejects.toThrow("is outside the folder")
  })

  const wrong = {
    gone: "ENOENT",
    bare: "no plugin.json",
    large: "1048577",
    "text.txt": "no archive",
  }
  test.each(Object.entries(wrong))("is refused at %s with the reason %s", async (place, reason) => {
    await expect(readLocalPlugin(place, root)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining(reason),
    })
  })
})

test("a shipped plugin that does not exist is refused", async () => {
  await expect(readShippedPlugin("no-such-plugin")).rejects.toThrow(
    'no shipped plugin "no-such-plugin"',
  )
})
