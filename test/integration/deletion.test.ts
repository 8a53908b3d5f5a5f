/** Deleted means deleted: after the deferred deletion no file of the data folder holds what was deleted. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { Program } from "../support/process.ts"

const SLOW_MS = 120_000
const KEY = "phx_deletion_test_key_000000"
const TOKEN = "phc_deletion_test_token_0000"
const run = promisify(execFile)

let folder: string
let program: Program

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-deletion-"))
})

afterEach(async () => {
  program.child.kill("SIGTERM")
  await program.ended
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<string> {
  program = new Program(["start"], environment())
  return program.ready()
}

function environment(): Record<string, string> {
  return {
    ...{ HEDGEROW_DATA_DIR: path.join(folder, "data"), PORT: "0" },
    ...{ HEDGEROW_SETUP_API_KEY: KEY, HEDGEROW_SETUP_PROJECT_TOKEN: TOKEN },
  }
}

async function filesWith(text: string): Promise<string[]> {
  try {
    const { stdout } = await run("grep", ["-rlaF", text, folder])
    return stdout.trim().split("\n")
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return []
    throw error
  }
}

/** Sends events, and waits until they can be read. */
async function send(address: string, batch: readonly object[], wanted: number): Promise<void> {
  const answer = await fetch(`${address}/batch`, {
    method: "POST",
    body: JSON.stringify({ api_key: TOKEN, batch }),
  })
  expect(answer.status).toBe(200)
  for (;;) {
    const { results } = await get(address, "/events?limit=1000")
    if (results.length >= wanted) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
async function get(address: string, url: string): Promise<any> {
  const answer = await fetch(`${address}/api/projects/@current${url}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  return answer.json()
}

describe("deferred deletion", { timeout: SLOW_MS }, () => {
  test("leaves nothing of a deleted person and its events in any file, and all of the others", async () => {
    const address = await start()
    const events = ["doomed", "staying"].flatMap((who) =>
      Array.from({ length: 50 }, (_, index) => ({
        ...{
          event: `${who}-event`,
          distinct_id: `${who}-person`,
          $set: { email: `${who}@mail.test` },
        },
        properties: {
          note: `${who}-note-${index}`,
          page: "/",
          deep: [{ secret: `${who}-secret` }],
        },
      })),
    )
    await send(address, events, 100)
    const { results } = await get(address, "/persons?email=doomed@mail.test")
    const deleted = await fetch(
      `${address}/api/projects/@current/persons/${results[0].id}?delete_events=true`,
      { method: "DELETE", headers: { authorization: `Bearer ${KEY}` } },
    )
    expect(deleted.status).toBe(204)
    expect(await get(address, "/deletions")).toMatchObject({
      results: [{ state: "queued", finished_at: null }],
    })
    expect(await filesWith("doomed-secret")).not.toEqual([])

    const command = new Program(["deletions", "run"], environment())
    expect(await command.ended).toMatchObject({ code: 0 })

    expect((await get(address, "/deletions")).results[0].state).toBe("done")
    for (const trace of ["doomed-event", "doomed@mail.test", "doomed-note", "doomed-secret"]) {
      expect(await filesWith(trace)).toEqual([])
    }
    expect(await filesWith("doomed-person")).toEqual([])
    const left = await get(address, "/events?limit=1000&expand=properties")
    expect(left.results).toHaveLength(50)
    expect(left.results[0].properties.deep).toEqual([{ secret: "staying-secret" }])
  })
})
