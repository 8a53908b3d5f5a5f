/**
 * Where the server's socket is: inside its own folder, or, as the system bounds the length of a socket's path,
 * in a private folder with a short name under the system's temporary one.
 */
import { chmod, chown, lstat, mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { sha256Hex } from "../../lib/ids.ts"
import { isErrno } from "../../lib/system-error.ts"
import type { Owner } from "./run-as.ts"

/** The smallest of the systems' limits (macOS: 104 with the closing zero). */
const SOCKET_PATH_MAX_BYTES = 103

export function socketFile(folder: string, port: number): string {
  return path.join(folder, `.s.PGSQL.${port}`)
}

/** The owner is part of the short name: a folder made for another user is never in the way. */
export function pickSocketFolder(serverFolder: string, port: number, owner: Owner): string {
  const own = path.join(serverFolder, "run")
  if (fits(own, port)) return own
  const name = `hedgerow-${owner.uid}-${sha256Hex(serverFolder).slice(0, 16)}`
  const short = [tmpdir(), "/tmp"].map((folder) => path.join(folder, name))
  const found = short.find((folder) => fits(folder, port))
  if (found !== undefined) return found
  throw new StartError(`the temporary folder ${tmpdir()} is too long a path for a socket`)
}

export async function makeSocketFolder(folder: string, owner: Owner): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (!isErrno(error, "EEXIST")) throw error
  })
  // Others may write to the temporary folder: what is found there is trusted only if it is ours.
  const found = await lstat(folder)
  const isOurs = found.uid === owner.uid || found.uid === process.getuid?.()
  if (!found.isDirectory() || !isOurs) {
    throw new StartError(`${folder} exists but is not a folder of uid ${owner.uid}; remove it`)
  }
  await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
}

function fits(folder: string, port: number): boolean {
  return Buffer.byteLength(socketFile(folder, port)) <= SOCKET_PATH_MAX_BYTES
}
