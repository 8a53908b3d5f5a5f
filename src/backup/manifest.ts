/**
 * What a backup is made of. The manifest is written last and by a rename: a folder that has one is a whole backup,
 * and a folder without one is not.
 */
import { readFile, rename, writeFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import { StartError } from "../lib/errors.ts"
import { isErrno } from "../lib/system-error.ts"
import { describeFile, syncFolder } from "./files.ts"

const FORMAT = 1
const FILE = "manifest.json"

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Of the program that wrote it. */
  version: z.string(),
  created_at: z.string(),
  /** Applied to the relational store, in order. */
  migrations: z.array(z.object({ version: z.int(), name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), path: z.string() })),
  /** The last number each has given. */
  sequences: z.array(z.object({ name: z.string(), last_value: z.string() })),
  files: z.array(
    z.object({
      // Never outside of the folder, whoever wrote it.
      path: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[^\\]+$/),
      size_bytes: z.int(),
      sha256: z.string(),
    }),
  ),
})
export type Manifest = z.infer<typeof Manifest>

export async function writeManifest(
  folder: string,
  content: Omit<Manifest, "format">,
): Promise<void> {
  const file = path.join(folder, FILE)
  const text = `${JSON.stringify({ format: FORMAT, ...content }, undefined, 2)}\n`
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await syncFolder(folder)
}

export async function readManifest(folder: string): Promise<Manifest> {
  const value = parseJson(await readText(folder), folder)
  const { format } = value as { format?: unknown }
  if (typeof format === "number" && format !== FORMAT) {
    throw new StartError(`${folder} is a backup of format ${format}; this version reads ${FORMAT}`)
  }
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) throw new StartError(`${path.join(folder, FILE)} is damaged`)
  return parsed.data
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(path.join(folder, FILE), "utf8")
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "ENOTDIR")) throw error
    throw new StartError(`${folder} holds no complete backup: it has no ${FILE}`)
  }
}

function parseJson(text: string, folder: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === "object" && value !== null) return value
  } catch {}
  throw new StartError(`${path.join(folder, FILE)} is damaged`)
}

/** Every file of the backup is there and is what was written. */
export async function checkFiles(
  folder: string,
  { files }: Manifest,
  tell: (message: string) => void,
): Promise<void> {
  for (const [index, wanted] of files.entries()) {
    tell(`checking file ${index + 1} of ${files.length}`)
    const found = await describeFile(folder, wanted.path).catch((error: unknown) => {
      if (isErrno(error, "ENOENT")) return undefined
      throw error
    })
    if (found === undefined)
      throw new StartError(`the backup is damaged: ${wanted.path} is missing`)
    if (found.size_bytes !== wanted.size_bytes || found.sha256 !== wanted.sha256) {
      throw new StartError(`the backup is damaged: ${wanted.path} is not what was written`)
    }
  }
}
