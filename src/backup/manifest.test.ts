import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { writeEntry } from "./files.ts"
import { checkFiles, readManifest, writeManifest } from "./manifest.ts"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-manifest-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function writeSmall() {
  const files = [await writeEntry(folder, "tables/a.copy", [Buffer.from("1\tana\n")])]
  const rest = { tables: [], sequences: [], migrations: [] }
  await writeManifest(folder, { version: "1.2.3", created_at: "2026-03-02", files, ...rest })
}

const check = async () => checkFiles(folder, await readManifest(folder), () => {})

describe("a backup", () => {
  test("is what its manifest says", async () => {
    await writeSmall()
    await check()
    expect(await readManifest(folder)).toMatchObject({
      version: "1.2.3",
      files: [{ path: "tables/a.copy", size_bytes: 6 }],
    })
  })

  test("without a manifest is incomplete, and so is none at all", async () => {
    await expect(readManifest(folder)).rejects.toThrow("holds no complete backup")
    await expect(readManifest(path.join(folder, "none"))).rejects.toThrow("no complete backup")
  })

  test("with a file that has changed or gone is damaged", async () => {
    await writeSmall()
    await writeFile(path.join(folder, "tables/a.copy"), "1\tbob\n")
    await expect(check()).rejects.toThrow("tables/a.copy is not what was written")
    await rm(path.join(folder, "tables/a.copy"))
    await expect(check()).rejects.toThrow("tables/a.copy is missing")
  })

  test("of another format, or with files that would be outside, is refused", async () => {
    await writeSmall()
    const file = path.join(folder, "manifest.json")
    const text = await readFile(file, "utf8")
    for (const outside of ["../a", "/etc/a", "tables/../../a", "a\\\\b"]) {
      await writeFile(file, text.replace("tables/a.copy", outside))
      await expect(readManifest(folder)).rejects.toThrow("is damaged")
    }
    await writeFile(file, text.replace('"format": 1', '"format": 2'))
    await expect(readManifest(folder)).rejects.toThrow("of format 2; this version reads 1")
    await writeFile(file, text.slice(0, 40))
    await expect(readManifest(folder)).rejects.toThrow("is damaged")
  })
})
