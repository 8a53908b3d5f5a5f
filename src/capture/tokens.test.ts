import { describe, expect, test } from "vitest"
import { DomainError } from "../lib/errors.ts"
import { type Project, ProjectTokens } from "./tokens.ts"

const OUTAGE = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" })

/** A table of projects that can be changed, broken or held up, and counts how often it is asked. */
class Table {
  nowMs = 0
  asked = 0
  error: Error | undefined
  hold: Promise<void> | undefined
  readonly projects = new Map<string, Project>([["phc_a", { project_id: 1 }]])
  readonly tokens = new ProjectTokens(
    async (token) => {
      this.asked += 1
      await this.hold
      if (this.error !== undefined) throw this.error
      return this.projects.get(token)
    },
    () => this.nowMs,
  )
}

describe("project tokens", () => {
  test("are asked for once, then known for a second without a promise", async () => {
    const table = new Table()
    const first = table.tokens.find("phc_a")
    const second = table.tokens.find("phc_a")
    expect(await Promise.all([first, second])).toEqual([{ project_id: 1 }, { project_id: 1 }])
    expect(table.asked).toBe(1)
    table.nowMs = 999
    expect(table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    table.nowMs = 1_000
    expect(await table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    expect(table.asked).toBe(2)
  })

  test("that no project has are asked for each time, so that a new project is seen at once", async () => {
    const table = new Table()
    expect(await table.tokens.find("phc_b")).toBeUndefined()
    table.projects.set("phc_b", { project_id: 2 })
    expect(await table.tokens.find("phc_b")).toEqual({ project_id: 2 })
  })

  test("that were taken back are unknown after a second", async () => {
    const table = new Table()
    await table.tokens.find("phc_a")
    table.projects.clear()
    table.nowMs = 1_001
    expect(await table.tokens.find("phc_a")).toBeUndefined()
    expect(await table.tokens.find("phc_a")).toBeUndefined()
  })

  test("stay known while the database is away, and unknown ones are unavailable", async () => {
    const table = new Table()
    await table.tokens.find("phc_a")
    table.error = OUTAGE
    table.nowMs = 60_000
    expect(await table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    expect(table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    const refused = await Promise.resolve(table.tokens.find("phc_b")).catch((error) => error)
    expect(refused).toBeInstanceOf(DomainError)
    expect(refused).toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 })
  })

  test("stay known while the database hangs, and no second question is asked meanwhile", async () => {
    const table = new Table()
    await table.tokens.find("phc_a")
    let release = () => {}
    table.hold = new Promise((resolve) => {
      release = resolve
    })
    table.nowMs = 2_000
    expect(await table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    table.nowMs = 4_000
    expect(await table.tokens.find("phc_a")).toEqual({ project_id: 1 })
    expect(table.asked).toBe(2)
    release()
  })

  test("pass on what is no outage: a bug must be seen", async () => {
    const table = new Table()
    table.error = new Error("a bug")
    await expect(table.tokens.find("phc_a")).rejects.toThrow("a bug")
  })

  test("are remembered up to a bound", async () => {
    const table = new Table()
    for (let index = 0; index <= 10_000; index++) {
      table.projects.set(`phc_${index}`, { project_id: index })
      await table.tokens.find(`phc_${index}`)
    }
    expect(table.tokens.find("phc_10000")).toEqual({ project_id: 10_000 })
    expect(table.tokens.find("phc_0")).toBeInstanceOf(Promise)
  })

  test("are not looked up in endless number at once", async () => {
    const table = new Table()
    let release = () => {}
    table.hold = new Promise((resolve) => {
      release = resolve
    })
    const waiting = Array.from({ length: 1_000 }, (_, index) => table.tokens.find(`phc_x${index}`))
    await expect(table.tokens.find("phc_one_more")).rejects.toMatchObject({ kind: "unavailable" })
    release()
    expect(await Promise.all(waiting)).toHaveLength(1_000)
  })
})
