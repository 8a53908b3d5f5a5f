import { existsSync } from "node:fs"
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findCommandLine } from "../../src/lib/processes.ts"
import { Program } from "../support/process.ts"

const SLOW_MS = 90_000

let folder: string
let programs: Program[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-start-"))
  programs = []
})

afterEach(async () => {
  for (const { child } of programs) child.kill("SIGTERM")
  await Promise.all(programs.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
})

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const program = new Program(words, { HEDGEROW_DATA_DIR: dataDir(), PORT: "0", ...env })
  programs.push(program)
  return program
}

function dataDir(): string {
  return path.join(folder, "data")
}

async function organizationName(address: string, key: string): Promise<string | undefined> {
  const response = await fetch(`${address}/api/organizations/@current/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await response.json()) as { name?: string }).name
}

function shown(program: Program, label: string): string {
  return new RegExp(`${label}\\s+(\\S+)`).exec(program.output)?.[1] ?? ""
}

describe("the first start", { timeout: SLOW_MS }, () => {
  test("prints address, e-mail, password, key and token once; the key survives a restart", async () => {
    const first = run(["start"])
    const address = await first.ready()
    expect(shown(first, "Address")).toBe(address)
    expect(shown(first, "E-mail")).toBe("admin@hedgerow.local")
    expect(shown(first, "Password")).toMatch(/^\w{20}$/)
    expect(shown(first, "Project token")).toMatch(/^phc_\w{43}$/)
    const key = shown(first, "API key")
    expect(await organizationName(address, key)).toBe("My organization")
    expect(await first.stop()).toMatchObject({ code: 0 })
    expect(existsSync(path.join(dataDir(), "postgres/data/postmaster.pid"))).toBe(false)

    const second = run(["start"])
    expect(await organizationName(await second.ready(), key)).toBe("My organization")
    expect(second.output).not.toContain("Password")
    expect(await second.stop("SIGTERM")).toMatchObject({ code: 0 })
  })

  test("takes its values from the settings, and keeps the secret key to the owner", async () => {
    const program = run(["start"], {
      HEDGEROW_SETUP_EMAIL: "ana@example.com",
      HEDGEROW_SETUP_PASSWORD: "correct horse battery",
      HEDGEROW_SETUP_ORGANIZATION: "Garden Shop",
      HEDGEROW_SETUP_API_KEY: "phx_abcdefghijklmnopqrstuvwxyz",
      HEDGEROW_SETUP_PROJECT_TOKEN: "phc_abcdefghijklmnopqrstuvwxyz",
    })
    const address = await program.ready()
    expect(await organizationName(address, "phx_abcdefghijklmnopqrstuvwxyz")).toBe("Garden Shop")
    expect(program.output).toContain("phc_abcdefghijklmnopqrstuvwxyz")
    expect((await stat(path.join(dataDir(), "secret-key"))).mode & 0o777).toBe(0o600)
  })

  test("works from a folder that other users cannot enter", async () => {
    await chmod(folder, 0o700)
    expect(await run(["start"]).ready()).toMatch(/^http:/)
  })
})

describe("a start after kill -9", { timeout: SLOW_MS }, () => {
  test("recovers without help while the old PostgreSQL still runs", async () => {
    const first = run(["start"])
    await first.ready()
    const key = shown(first, "API key")
    const pidFile = path.join(dataDir(), "postgres/data/postmaster.pid")
    const strayPid = Number((await readFile(pidFile, "utf8")).split("\n")[0])
    await first.stop("SIGKILL")
    expect(await findCommandLine(strayPid)).toContain("postgres")

    const second = run(["start"])
    expect(await organizationName(await second.ready(), key)).toBe("My organization")
    expect(await findCommandLine(strayPid)).toBeUndefined()
  })
})

describe("a stop", { timeout: SLOW_MS }, () => {
  test("waits for no client that keeps its connection alive and busy", async () => {
    const program = run(["start"])
    const address = await program.ready()
    let isStopped = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!isStopped) await fetch(`${address}/_readyz`).catch(() => undefined)
    })
    const begin = performance.now()
    expect(await program.stop()).toMatchObject({ code: 0 })
    expect(performance.now() - begin).toBeLessThan(10_000)
    isStopped = true
    await Promise.all(clients)
  })
})

describe("a start that cannot be", { timeout: SLOW_MS }, () => {
  test("says in one line that the port is taken, and makes no credentials it would lose", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as { port: number }
    const { code, output } = await run(["start"], { PORT: String(port) }).ended
    server.close()
    expect(code).toBe(1)
    expect(output).toContain(
      `hedgerow: port ${port} on 127.0.0.1 is taken; set PORT to another one\n`,
    )
    const next = run(["start"])
    await next.ready()
    expect(shown(next, "Password")).not.toBe("")
  })

  test("says in one line which setting is wrong", async () => {
    const { code, output } = await run(["start"], { HEDGEROW_ROLES: "cook" }).ended
    expect(code).toBe(1)
    expect(output.trim().split("\n")).toHaveLength(1)
    expect(output).toContain("HEDGEROW_ROLES")
  })

  test("says in one line that another instance owns the data folder", async () => {
    await run(["start"]).ready()
    const { code, output } = await run(["start"]).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^hedgerow: .*held by a running process \(pid \d+\).*\n$/)
  })
})

describe("commands", { timeout: SLOW_MS }, () => {
  test("keys are made, listed and revoked while the platform runs", async () => {
    const address = await run(["start"]).ready()
    const owner = ["--email", "admin@hedgerow.local"]
    const made = await run(["keys", "create", ...owner, "--label", "CI"]).ended
    const key = made.output.trim()
    expect(key).toMatch(/^phx_\w{43}$/)
    expect(await organizationName(address, key)).toBe("My organization")
    const listed = await run(["keys", "list"]).ended
    expect(listed.output).not.toContain(key)
    const line = listed.output.split("\n").find((each) => each.includes("CI"))
    const id = line?.trim().split(/\s/)[0] ?? ""
    expect(await run(["keys", "revoke", id]).ended).toMatchObject({ code: 0 })
    expect(await organizationName(address, key)).toBeUndefined()
  })

  test("migrate fills an empty folder, version prints it, an unknown command is refused", async () => {
    expect(await run(["migrate"]).ended).toMatchObject({ code: 0 })
    expect((await run(["version"]).ended).output).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await run(["cook"]).ended).toMatchObject({ code: 2 })
  })
})
