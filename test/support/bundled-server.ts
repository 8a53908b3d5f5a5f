/** A folder of the bundled server for tests, and processes that own one and can be killed. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import postgres from "postgres"
import { packageRoot } from "../../src/lib/package-root.ts"
import {
  type BundledPostgres,
  connectionOptions,
  openBundledPostgres,
} from "../../src/relational/bundled.ts"

/** Nothing in a test outlives the machine. */
export const settings = { fsync: "off" }

export interface ServerFolder extends AsyncDisposable {
  /** Closed to others; its server has been started once, has written "ana" and is stopped. */
  readonly folder: string
  /** A path beside it where nothing is yet. */
  beside(name: string): string
}

export async function openServerFolder(): Promise<ServerFolder> {
  const root = await mkdtemp(path.join(tmpdir(), "bundled-"))
  const folder = path.join(root, "postgres")
  const server = await openBundledPostgres({ folder, settings })
  await writeName(server, "ana")
  await server.close()
  return {
    folder,
    beside: (name) => path.join(root, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

export async function query(server: BundledPostgres, text: string): Promise<unknown[][]> {
  const sql = postgres({ ...connectionOptions(server), max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(text).values())]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export async function writeName(server: BundledPostgres, name: string): Promise<void> {
  await query(server, "create table if not exists person (name text)")
  await query(server, `insert into person values ('${name}')`)
}

export async function readNames(server: BundledPostgres): Promise<unknown[]> {
  return (await query(server, "select name from person order by name")).flat()
}

/** A process of its own that opens the server of this folder and stays until it is killed. */
export function startOwner(folder: string): ChildProcess {
  const module = JSON.stringify(path.join(packageRoot, "src/relational/bundled.ts"))
  const script = `import { openBundledPostgres } from ${module}
    const server = await openBundledPostgres(${JSON.stringify({ folder, settings })})
    console.log(server.pid)`
  const args = ["--import", "tsx", "--input-type=module", "-e", script]
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
}

/** The server's pid, said when it is ready. */
export async function readServerPid(owner: ChildProcess): Promise<number> {
  if (owner.stdout === null) throw new Error("the owner has no output")
  const [line] = await once(owner.stdout, "data")
  return Number(String(line))
}

export async function killOwner(owner: ChildProcess): Promise<void> {
  owner.kill("SIGKILL")
  await once(owner, "exit")
}
