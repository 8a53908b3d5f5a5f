import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Program } from "../support/process.ts"

const SLOW_MS = 180_000
const EVENT_COUNT = 1_500
const KEY = "phx_abcdefghijklmnopqrstuvwxyz"

let folder: string
const programs: Program[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-demo-"))
})

afterAll(async () => {
  for (const { child } of programs) child.kill("SIGTERM")
  await Promise.all(programs.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
})

function run(...words: string[]): Program {
  const program = new Program(words, {
    HEDGEROW_DATA_DIR: path.join(folder, "data"),
    PORT: "0",
    HEDGEROW_SETUP_API_KEY: KEY,
  })
  programs.push(program)
  return program
}

async function call(address: string, url: string, method = "GET") {
  const response = await fetch(`${address}/api/projects/1/${url}`, {
    method,
    headers: { authorization: `Bearer ${KEY}` },
  })
  const text = await response.text()
  return { status: response.status, ...(text === "" ? {} : JSON.parse(text)) }
}

async function countEvents(address: string): Promise<number> {
  let count = 0
  let url: string | null = `${address}/api/projects/1/events/?limit=1000`
  while (url !== null) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } })
    const page = (await response.json()) as { next: string | null; results: unknown[] }
    count += page.results.length
    url = page.next
  }
  return count
}

describe("the demo", { timeout: SLOW_MS }, () => {
  test("fills a new instance without one running, a running one too; people can be found and deleted", async () => {
    const first = await run("demo", "--events", String(EVENT_COUNT)).ended
    expect(first).toMatchObject({ code: 0 })
    expect(first.output).toContain("This is shown once")
    expect(first.output).toMatch(/1000 of 1500 events sent \(66 %\)\n/)
    expect(first.output).toMatch(/\nsent 1500 events of 90 days to project 1 \(.*\) in [\d.]+ s\n/)

    const address = await run("start").ready()
    expect(await countEvents(address)).toBe(EVENT_COUNT)
    const signedUp = await call(address, "events/?event=signed%20up&limit=1000")
    expect(signedUp.results.length).toBeGreaterThan(5)
    const [someone] = signedUp.results
    const { results } = await call(address, `persons/?distinct_id=${someone.distinct_id}`)
    expect(results[0].distinct_ids.length).toBeGreaterThanOrEqual(2)
    expect(results[0].properties).toMatchObject({ email: someone.distinct_id })

    const second = await run("demo", "--events", "200", "--seed", "two", "--project", "1").ended
    expect(second).toMatchObject({ code: 0 })
    await expect.poll(() => countEvents(address), { timeout: 20_000 }).toBe(EVENT_COUNT + 200)
    const unknown = await run("demo", "--project", "99").ended
    expect(unknown).toMatchObject({ code: 1, output: "hedgerow: demo: no project 99\n" })

    const { count } = await call(address, "persons/?limit=1")
    const rebuilt = await run("persons", "rebuild").ended
    expect(rebuilt).toMatchObject({ code: 0 })
    expect(rebuilt.output).toContain(`rebuilt ${count} persons and `)
    expect((await call(address, "persons/?limit=1")).count).toBe(count)

    const idle = await run("deletions", "run").ended
    expect(idle).toMatchObject({ code: 0, output: "nothing is queued for deletion\n" })
    const id = results[0].uuid
    expect(await call(address, `persons/${id}/?delete_events=true`, "DELETE")).toMatchObject({
      status: 204,
    })
    const deleted = await run("deletions", "run").ended
    expect(deleted).toMatchObject({ code: 0 })
    expect(deleted.output).toContain("deleted the event data of 1 persons and 0 projects\n")
    expect(await countEvents(address)).toBeLessThan(EVENT_COUNT + 200)
  })

  test("and its neighbours refuse what they do not understand, in one line", async () => {
    for (const words of [
      ["demo", "--events", "x"],
      ["persons"],
      ["deletions", "walk"],
      ["backup"],
    ]) {
      const { code, output } = await run(...words).ended
      expect(code).toBe(1)
      expect(output).toMatch(/^hedgerow: .*\n$/)
    }
  })
})
