/**
 * Plugins in npm packages, through the npm program of the host: its configuration (registry, credentials, proxy)
 * and its cache are the operator's. No script of a package is run.
 */
import { existsSync } from "node:fs"
import { mkdtemp, open, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { z } from "zod"
import { type DomainError, invalid, unavailable } from "../lib/errors.ts"
import { isErrno } from "../lib/system-error.ts"
import { MAX_ARCHIVE_BYTES, readArchive } from "./archive.ts"
import { runChild } from "./child.ts"
import type { PluginFiles } from "./files.ts"

const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024
const QUIET = ["--json", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
const ONE_TRY = ["--fetch-retries=0", "--fetch-timeout=20000", "--logs-max=0"]

/** Error codes of npm and of the network that mean "no answer". */
const UNREACHABLE =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|E\w*TIMEDOUT|ENOTCACHED|EHOSTUNREACH|ENETUNREACH|\w*SOCKET\w*|FETCH_ERROR|E5\d\d)$/

const Failure = z.object({ error: z.object({ code: z.string() }) })
const Packed = z.tuple([z.object({ version: z.string() })], z.unknown())

export interface NpmPackage {
  readonly files: PluginFiles
  readonly version: string
}

/** `more` are further options for npm, such as another cache. */
export async function readNpmPackage(
  spec: string,
  more: readonly string[] = [],
): Promise<NpmPackage> {
  const folder = await mkdtemp(path.join(tmpdir(), "hedgerow-npm-"))
  try {
    const options = ["--prefer-offline", `--pack-destination=${folder}`, ...more]
    const output = await npm(["pack", spec, ...options], { spec, cwd: folder })
    const packed = Packed.safeParse(output)
    if (!packed.success) throw invalid(`npm gave no package for ${spec}`)
    const files = await readArchive(await readTarball(folder, spec))
    return { files, version: packed.data[0].version }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The version that the spec stands for now; asks the registry, not the cache. */
export async function findNpmVersion(spec: string, more: readonly string[] = []): Promise<string> {
  const output = await npm(["view", spec, "version", "--prefer-online", ...more], {
    spec,
    cwd: tmpdir(),
  })
  // A range answers a list, oldest first.
  const version = Array.isArray(output) ? output.at(-1) : output
  if (typeof version !== "string") throw invalid(`npm knows no version of ${spec}`)
  return version
}

async function npm(
  args: readonly string[],
  { spec, cwd }: { readonly spec: string; readonly cwd: string },
): Promise<unknown> {
  const [command, ...first] = npmCommand()
  const result = await runChild({
    command,
    args: [...first, ...args, ...QUIET, ...ONE_TRY],
    cwd,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  }).catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error
    throw unavailable("npm is not installed on this host, so npm packages cannot be fetched")
  })
  if (result.ended === "timeout") {
    throw invalid(`the package ${spec} could not be reached within ${TIMEOUT_MS} ms`)
  }
  const output = jsonOf(result.stdout)
  if (result.ended === "done") return output
  throw failure(spec, Failure.safeParse(output).data?.error.code ?? "no reason given")
}

function failure(spec: string, code: string): DomainError {
  if (code === "E404") return invalid(`there is no npm package ${spec}, or it is private`)
  if (code === "ETARGET") return invalid(`the npm package ${spec} has no such version`)
  if (UNREACHABLE.test(code)) {
    return invalid(`the npm package ${spec}: the registry could not be reached: ${code}`)
  }
  return invalid(`the npm package ${spec} could not be fetched: ${code}`)
}

async function readTarball(folder: string, spec: string): Promise<Uint8Array> {
  const [name] = (await readdir(folder)).filter((file) => file.endsWith(".tgz"))
  if (!name) throw invalid(`npm gave no package for ${spec}`)
  await using file = await open(path.join(folder, name))
  const { size } = await file.stat()
  if (size <= MAX_ARCHIVE_BYTES) return file.readFile()
  throw invalid(`the npm package ${spec} has ${size} bytes; at most ${MAX_ARCHIVE_BYTES} are read`)
}

/** npm's own script run by our node where it is installed beside it (no shell needed on any system), else by name. */
function npmCommand(): [command: string, ...args: string[]] {
  const bin = path.dirname(process.execPath)
  const folders = [path.join(bin, "../lib/node_modules"), path.join(bin, "node_modules")]
  const scripts = folders.map((folder) => path.join(folder, "npm/bin/npm-cli.js"))
  const script = scripts.find((candidate) => existsSync(candidate))
  return script ? [process.execPath, script] : ["npm"]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
