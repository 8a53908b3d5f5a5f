/**
 * The folder of the bundled server:
 *
 *   data/            what PostgreSQL keeps; made under another name and renamed when whole
 *   run/             the socket
 *   owner.lock       the process that runs the server
 *   server.log       what the server said, and server.log.1 before that
 */
import { once } from "node:events"
import {
  chmod,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { randomToken } from "../../lib/ids.ts"
import type { Binaries } from "./binaries.ts"
import { type Owner, type RunAs, spawnAs } from "./run-as.ts"
import { ServerLog } from "./server-log.ts"

export const SUPERUSER = "hedgerow"

const INITDB_TIMEOUT_MS = 120_000
const DRAFT_PREFIX = "data.draft-"
/** A killed start's initdb may still be writing into its draft for a moment. */
const REMOVE_RETRY_COUNT = 20

/** Makes the folder if need be, closed to others; returns its real path. */
export async function makeServerFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { uid } = await stat(folder)
    const self = process.getuid?.()
    if (self !== 0 && uid !== self) {
      throw new StartError(`${folder} belongs to uid ${uid}, not to ${self}; start as its owner`)
    }
    await chmod(folder, 0o700)
    return await realpath(folder)
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    throw new StartError(`cannot use the folder ${folder}: ${messageOf(cause)}`, { cause })
  }
}

/** The data folder of a server folder, without looking whether it is there. */
export function dataFolderOf(serverFolder: string): string {
  return path.join(serverFolder, "data")
}

interface ClusterPlan {
  readonly serverFolder: string
  readonly binaries: Binaries
  readonly runAs: RunAs
  readonly isDurable: boolean
}

/** Leaves a data folder that this server can start on: the one found, or a new one. */
export async function prepareCluster(plan: ClusterPlan): Promise<void> {
  const { serverFolder, binaries, runAs } = plan
  await removeDrafts(serverFolder)
  await giveTo(serverFolder, runAs.owner)
  const version = await findVersion(dataFolderOf(serverFolder))
  if (version === undefined) await createCluster(plan)
  else if (version !== binaries.major) {
    throw new StartError(
      `${serverFolder} was written by PostgreSQL ${version}, and this version bundles ` +
        `${binaries.major}: back it up with the version that wrote it and restore here`,
    )
  }
}

async function findVersion(dataFolder: string): Promise<string | undefined> {
  const found = await stat(dataFolder).catch(() => undefined)
  if (found === undefined) return undefined
  try {
    return (await readFile(path.join(dataFolder, "PG_VERSION"), "utf8")).trim()
  } catch (cause) {
    throw new StartError(`${dataFolder} is there but holds no PostgreSQL data: move it away`, {
      cause,
    })
  }
}

async function createCluster(plan: ClusterPlan): Promise<void> {
  const { serverFolder, runAs } = plan
  const draft = path.join(serverFolder, `${DRAFT_PREFIX}${randomToken(8)}`)
  await mkdir(draft, { mode: 0o700 })
  await lchown(draft, runAs.owner.uid, runAs.owner.gid)
  try {
    await runInitdb(plan, draft)
    await rename(draft, dataFolderOf(serverFolder))
    await syncFolder(serverFolder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: REMOVE_RETRY_COUNT })
    throw error
  }
}

async function runInitdb({ binaries, runAs, isDurable }: ClusterPlan, draft: string) {
  const args = [
    ...["-D", draft, "-U", SUPERUSER, "--auth-local=trust", "--auth-host=reject"],
    ...["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    ...["--no-instructions", ...(isDurable ? [] : ["--no-sync"])],
  ]
  const child = spawnAs(runAs, [binaries.initdb, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: INITDB_TIMEOUT_MS,
  })
  const said = new ServerLog(path.join(path.dirname(draft), "server.log"))
  child.stderr?.on("data", (chunk) => said.add(chunk))
  const [code, signal] = await once(child, "close")
  if (code === 0) return
  throw new StartError(
    `PostgreSQL could not make its folder (initdb ended with ${code ?? signal}): ${said.tail()}`,
  )
}

async function removeDrafts(serverFolder: string): Promise<void> {
  for (const name of await readdir(serverFolder)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue
    const options = { recursive: true, force: true, maxRetries: REMOVE_RETRY_COUNT }
    await rm(path.join(serverFolder, name), options)
  }
}

/** Root may start the server as another user than last time. The top goes last: it says that all is done. */
async function giveTo(entry: string, owner: Owner): Promise<void> {
  const { uid } = await stat(entry)
  if (uid !== owner.uid) await giveTree(entry, owner)
}

async function giveTree(entry: string, owner: Owner): Promise<void> {
  const children = await readdir(entry, { withFileTypes: true })
  for (const child of children) {
    const file = path.join(entry, child.name)
    if (child.isDirectory()) await giveTree(file, owner)
    else await lchown(file, owner.uid, owner.gid)
  }
  await lchown(entry, owner.uid, owner.gid)
}

/** So that the rename itself survives a power loss. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r")
  await handle.sync()
  await handle.close()
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
