/**
 * PostgreSQL refuses to run as root. For an ordinary user it is simply started; for root there are three ways,
 * of which the first that works is taken:
 *
 * 1. namespace: a user namespace that shows root as an ordinary user. Files stay root's, and a folder that
 *    only root may enter stays reachable.
 * 2. capability: an ordinary user that may pass folders closed to it. For containers, which refuse user
 *    namespaces. The files become that user's.
 * 3. user: an ordinary user and nothing more. Every folder above the data and the programs must let others pass.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, stat } from "node:fs/promises"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"

const ROOT_STRATEGIES = ["namespace", "capability", "user"] as const

export type RootStrategy = (typeof ROOT_STRATEGIES)[number]

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface RunAs {
  /** Whose the server's files must be. */
  readonly owner: Owner
  /** Words before the command; these programs replace themselves by it, so the pid is the command's own. */
  readonly prefix: readonly string[]
  /** Whom the child becomes before the first word runs. */
  readonly become?: Owner
}

interface RunAsQuestion {
  readonly postgres: string
  readonly folder: string
  /** Only this way, when given; otherwise the first that works. */
  readonly rootStrategy?: RootStrategy | undefined
}

const PROBE_TIMEOUT_MS = 10_000
const COMPLAINT_MAX_LENGTH = 200
/** Nothing of the caller's environment reaches the server: PGPORT, LANG and the like would change it. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin", LC_ALL: "C", TZ: "UTC" }
const PREFERRED_USERS = ["postgres", "_postgres", "nobody"]
const ROOT: Owner = { uid: 0, gid: 0 }

export async function chooseRunAs(question: RunAsQuestion): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (self.uid === 0) return chooseForRoot(question)
  const way = { owner: self, prefix: [] }
  const reason = await findObstacle(way, question)
  if (reason === undefined) return way
  throw new StartError(
    `the bundled PostgreSQL does not run on this system (${reason}): set DATABASE_URL to another`,
  )
}

async function chooseForRoot(question: RunAsQuestion): Promise<RunAs> {
  const ways = rootWays(pickUser(await readFile("/etc/passwd", "utf8").catch(() => "")))
  const kinds = question.rootStrategy ? [question.rootStrategy] : ROOT_STRATEGIES
  const reasons: string[] = []
  for (const kind of kinds) {
    const reason = await findObstacle(ways[kind], question)
    if (reason === undefined) return ways[kind]
    reasons.push(`${kind}: ${reason}`)
  }
  throw new StartError(
    `PostgreSQL does not run as root, and no other way worked (${reasons.join("; ")}): ` +
      "start as an ordinary user, or set DATABASE_URL",
  )
}

function rootWays({ uid, gid }: Owner): Record<RootStrategy, RunAs> {
  return {
    namespace: {
      owner: ROOT,
      prefix: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"],
    },
    capability: {
      owner: { uid, gid },
      prefix: [
        ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"],
        ...["--inh-caps=+dac_override", "--ambient-caps=+dac_override"],
        // Without it access(2), by which the programs look for each other, asks as if there were no capability.
        ...["--securebits=+no_setuid_fixup", "--"],
      ],
    },
    user: { owner: { uid, gid }, prefix: [], become: { uid, gid } },
  }
}

/** The server wants a user that /etc/passwd knows; any but root will do. */
export function pickUser(passwd: string): Owner {
  const users = passwd.split("\n").flatMap((line) => {
    const [name = "", , uid, gid] = line.split(":")
    const owner = { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
    return gid !== undefined && owner.uid !== 0 ? [{ name, owner }] : []
  })
  const preferred = PREFERRED_USERS.flatMap((name) => users.filter((user) => user.name === name))
  return (preferred[0] ?? users[0])?.owner ?? { uid: 65534, gid: 65534 }
}

/** Why this way does not work here; undefined when it does. */
async function findObstacle(way: RunAs, question: RunAsQuestion): Promise<string | undefined> {
  const { become } = way
  for (const needed of become === undefined ? [] : [question.folder, question.postgres]) {
    const closed = await findClosedFolder(path.dirname(needed), become ?? ROOT)
    if (closed !== undefined) return `uid ${become?.uid} may not enter ${closed}`
  }
  return tryVersion(way, question.postgres)
}

async function tryVersion(way: RunAs, postgres: string): Promise<string | undefined> {
  let complaint = ""
  try {
    const child = spawnAs(way, [postgres, "--version"], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: PROBE_TIMEOUT_MS,
    })
    child.stderr?.on("data", (chunk) => {
      complaint = `${complaint}${chunk}`.slice(0, COMPLAINT_MAX_LENGTH)
    })
    const [code, signal] = await once(child, "close")
    return code === 0 ? undefined : complaint.trim() || `ended with ${code ?? signal}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The first folder, from the top, that this user may not pass. Access lists are not looked at. */
export async function findClosedFolder(folder: string, user: Owner): Promise<string | undefined> {
  const parent = path.dirname(folder)
  const above = parent === folder ? undefined : await findClosedFolder(parent, user)
  if (above !== undefined) return above
  const { mode, uid, gid } = await stat(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return mode & bit ? undefined : folder
}

/** Starts a program of the server this way, with an environment of its own. */
export function spawnAs(
  { prefix, become }: RunAs,
  command: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [program = "", ...args] = [...prefix, ...command]
  return spawn(program, args, { ...options, ...become, cwd: "/", env: ENVIRONMENT })
}
