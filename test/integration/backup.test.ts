import { existsSync } from "node:fs"
import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { Program } from "../support/process.ts"

const SLOW_MS = 180_000
const KEY = "phx_abcdefghijklmnopqrstuvwxyz"
const TOKEN = "phc_abcdefghijklmnopqrstuvwxyz"

let folder: string
let programs: Program[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-backup-"))
  programs = []
})

afterEach(async () => {
  for (const { child } of programs) child.kill("SIGTERM")
  await Promise.all(programs.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)

function run(words: readonly string[], dataName = "data"): Program {
  const program = new Program(words, {
    HEDGEROW_DATA_DIR: at(dataName),
    PORT: "0",
    HEDGEROW_SETUP_API_KEY: KEY,
    HEDGEROW_SETUP_PROJECT_TOKEN: TOKEN,
  })
  programs.push(program)
  return program
}

async function get(address: string, url: string) {
  const response = await fetch(`${address}/api/projects/1/${url}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  return (await response.json()) as { count?: number; results: Record<string, unknown>[] }
}

async function capture(address: string, batch: readonly object[]): Promise<void> {
  const body = JSON.stringify({ api_key: TOKEN, batch })
  const response = await fetch(`${address}/batch/`, { method: "POST", body })
  if (!response.ok) throw new Error(`capture answered ${response.status}`)
}

/** Sends events of ever new persons until it is stopped. */
function load(address: string) {
  const acked: string[] = []
  let isStopped = false
  const running = (async () => {
    for (let index = 0; !isStopped; index++) {
      const distinct_id = `load-${index}`
      const properties = { $set: { name: `Loaded ${index}` } }
      await capture(address, [{ event: "loaded", distinct_id, properties }])
      acked.push(distinct_id)
    }
  })()
  return {
    acked,
    async stop() {
      isStopped = true
      await running
    },
  }
}

async function loadedIds(address: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += 1_000) {
    const page = await get(address, `events/?event=loaded&limit=1000&offset=${offset}`)
    ids.push(...page.results.map((event) => String(event.distinct_id)))
    if (page.results.length < 1_000) return ids
  }
}

/** What the stores of the backup did not hold yet is read from its log after the start. */
async function settledIds(address: string): Promise<string[]> {
  await capture(address, [{ event: "last", distinct_id: "ana" }])
  await expect
    .poll(async () => (await get(address, "events/?event=last")).results.length, {
      timeout: 30_000,
    })
    .toBe(1)
  return loadedIds(address)
}

describe("a backup under load", { timeout: SLOW_MS }, () => {
  test("restores all that was acknowledged before it, persons and accounts included", async () => {
    const first = run(["start"])
    const address = await first.ready()
    const identify = { $anon_distinct_id: "visitor-1", $set: { email: "ana@example.com" } }
    await capture(address, [
      { event: "visited", distinct_id: "visitor-1" },
      { event: "$identify", distinct_id: "ana", properties: identify },
    ])
    const sending = load(address)
    await expect.poll(() => sending.acked.length, { timeout: 30_000 }).toBeGreaterThan(20)
    const ackedBefore = [...sending.acked]
    const backup = await run(["backup", at("copy")]).ended
    await sending.stop()
    expect(backup).toMatchObject({ code: 0 })
    expect(backup.output).toContain(`backed up to ${at("copy")}: `)
    expect((await stat(at("copy"))).mode & 0o777).toBe(0o700)
    expect((await stat(at("copy/secret-key"))).mode & 0o777).toBe(0o600)
    expect(await first.stop()).toMatchObject({ code: 0 })

    const restored = await run(["restore", at("copy")], "other").ended
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.output).toContain(`into ${at("other")}`)
    expect(await readFile(at("other/secret-key"))).toEqual(await readFile(at("data/secret-key")))

    const second = await run(["start"], "other").ready()
    const found = await settledIds(second)
    expect(new Set(found).size).toBe(found.length)
    const foundIds = new Set(found)
    expect(ackedBefore.filter((id) => !foundIds.has(id))).toEqual([])
    expect((await get(second, "persons/?limit=1")).count).toBe(found.length + 1)
    const [ana] = (await get(second, "persons/?email=ana@example.com")).results
    expect(ana?.distinct_ids).toEqual(["visitor-1", "ana"])
    // Numbers go on: a new person collides with nobody.
    await capture(second, [{ event: "visited", distinct_id: "new" }])
    await expect
      .poll(async () => (await get(second, "persons/?limit=1")).count, { timeout: 10_000 })
      .toBe(found.length + 2)
  })
})

describe("a backup that cannot be", { timeout: SLOW_MS }, () => {
  test("of a stopped instance it can be; into a folder in use, of nothing or damaged it cannot", async () => {
    const nothing = await run(["backup", at("copy")]).ended
    expect(nothing).toMatchObject({ code: 1 })
    expect(nothing.output).toBe(
      `hedgerow: there is no instance in ${at("data")} (HEDGEROW_DATA_DIR)\n`,
    )
    expect(existsSync(at("data"))).toBe(false)

    await (await startOnce()).stop()
    expect(await run(["backup", at("copy")]).ended).toMatchObject({ code: 0 })
    const again = await run(["backup", at("copy")]).ended
    expect(again).toMatchObject({ code: 1 })
    expect(again.output).toContain("is not empty; a backup needs a folder of its own\n")
    const within = await run(["backup", at("data/copy")]).ended
    expect(within.output).toContain("is inside the data folder; choose one outside\n")

    const onto = await run(["restore", at("copy")]).ended
    expect(onto.output).toMatch(
      /^hedgerow: the data folder .* is not empty; restore into a new one/,
    )
    await appendFile(at("copy/tables/project.copy"), "\n")
    const damaged = await run(["restore", at("copy")], "other").ended
    expect(damaged).toMatchObject({ code: 1 })
    expect(damaged.output).toContain("hedgerow: the backup is damaged: tables/project.copy is not")
    expect(existsSync(at("other"))).toBe(false)
  })
})

async function startOnce(): Promise<Program> {
  const program = run(["start"])
  await program.ready()
  return program
}
