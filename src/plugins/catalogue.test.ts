import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { StartError } from "../lib/errors.ts"
import { inferCapabilities } from "./capabilities.ts"
import { readCatalogue } from "./catalogue.ts"
import { fetchPlugin } from "./fetch.ts"
import { parseLocation, publicGitHosts } from "./location.ts"
import { getManifest } from "./manifest.ts"
import { transpileEntries } from "./transpile.ts"

const places = { localRoot: undefined, hosts: publicGitHosts }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-catalogue-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function extraFile(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}

describe("the shipped catalogue", async () => {
  const shipped = await readCatalogue(places)

  test("offers something in each group", () => {
    expect(new Set(shipped.map((entry) => entry.group)).size).toBe(3)
  })

  test.each(shipped)(
    "offers $name, which installs without network and does what it says",
    async (entry) => {
      const { files } = await fetchPlugin(parseLocation(entry.url), places)
      const manifest = getManifest(files)
      expect(manifest).toMatchObject({ name: entry.name, description: entry.description })
      const inferred = await inferCapabilities(files, manifest.main)
      if (entry.group === "pipeline_frontend_apps") expect(inferred).toEqual({ status: "absent" })
      else if (inferred.status !== "inferred") expect.unreachable()
      else expect(entry.capabilities).toEqual(inferred.capabilities)
      const compiled = [...(await transpileEntries(files)).values()]
      expect(compiled.map(({ status }) => status)).toEqual(["transpiled"])
    },
  )
})

describe("an extra catalogue", () => {
  test("adds entries with sensible defaults and replaces those with the same url", async () => {
    const file = await extraFile("good.json", [
      { name: "Mine", url: " shipped:webhook ", group: "pipeline_destinations" },
      { name: "Other", url: "other-plugin", group: "pipeline_import_apps", tag: "1.0.0", extra: 1 },
    ])
    const [shipped, all] = await Promise.all([readCatalogue(places), readCatalogue(places, file)])
    expect(all).toHaveLength(shipped.length + 1)
    expect(all.some((entry) => entry.name === "Webhook")).toBe(false)
    expect(all.find((entry) => entry.name === "Other")).toEqual({
      name: "Other",
      url: "other-plugin",
      comparable_url: "npm:other-plugin@",
      description: null,
      icon: null,
      verified: false,
      maintainer: "community",
      tag: "1.0.0",
      group: "pipeline_import_apps",
    })
  })

  const wrong: [file: string, content: unknown, problem: string][] = [
    ["text.json", "hello", "cannot be read"],
    ["object.json", {}, "expected array"],
    ["group.json", [{ name: "a", url: "b", group: "c" }], "0.group"],
    [
      "place.json",
      [{ name: "a", url: "../b", group: "pipeline_import_apps" }],
      '"../b" is no place',
    ],
    ["url.json", [{ name: "a", group: "pipeline_import_apps" }], "0.url"],
  ]
  test.each(wrong)(
    "that is wrong (%s) stops the start by name and problem",
    async (name, content, problem) => {
      const file = await extraFile(name, content)
      const reading = readCatalogue(places, file)
      await expect(reading).rejects.toBeInstanceOf(StartError)
      await expect(reading).rejects.toThrow(file)
      await expect(reading).rejects.toThrow(problem)
    },
  )

  test("that is not there stops the start", async () => {
    const reading = readCatalogue(places, path.join(folder, "gone.json"))
    await expect(reading).rejects.toThrow(/gone\.json cannot be read: ENOENT/)
  })
})
