/** The plugins that are offered for installation: the shipped ones, and those of a file that the operator names. */
import { readFile, stat } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import { DomainError, StartError } from "../lib/errors.ts"
import { packageRoot } from "../lib/package-root.ts"
import { systemCode } from "../lib/system-error.ts"
import type { FetchSettings } from "./fetch.ts"
import { pluginGroups } from "./groups.ts"
import { comparableUrl, MAX_URL_CHARS, parseLocation } from "./location.ts"
import { firstProblem } from "./shape-problem.ts"

const MAX_CATALOGUE_BYTES = 4 * 1024 * 1024
const MAX_CATALOGUE_ENTRIES = 2_000
const SHIPPED_CATALOGUE = path.join(packageRoot, "src/plugins/catalogue.json")

const Names = z.array(z.string().max(200)).max(100)

const Entry = z.object({
  name: z.string().min(1).max(200),
  url: z.string().min(1).max(MAX_URL_CHARS),
  description: z.string().max(10_000).nullable().default(null),
  icon: z.string().max(800).nullable().default(null),
  verified: z.boolean().default(false),
  maintainer: z.enum(["official", "community"]).default("community"),
  tag: z.string().max(200).nullable().default(null),
  group: z.enum(pluginGroups),
  /** Left out where it is not known what the plugin will do. */
  capabilities: z.object({ methods: Names, jobs: Names, scheduled_tasks: Names }).optional(),
})

export interface CatalogueEntry extends z.infer<typeof Entry> {
  readonly comparable_url: string
}

const Catalogue = z.array(Entry).max(MAX_CATALOGUE_ENTRIES)

type Places = Pick<FetchSettings, "hosts" | "localRoot">

/** An entry of the extra file takes the place of a shipped one with the same url. */
export async function readCatalogue(
  places: Places,
  extraFile?: string,
): Promise<readonly CatalogueEntry[]> {
  const shipped = await readEntries(SHIPPED_CATALOGUE, places)
  const extra = extraFile === undefined ? [] : await readEntries(extraFile, places)
  const byUrl = new Map([...shipped, ...extra].map((entry) => [entry.comparable_url, entry]))
  return [...byUrl.values()]
}

async function readEntries(file: string, places: Places): Promise<readonly CatalogueEntry[]> {
  const parsed = Catalogue.safeParse(await readJson(file))
  if (!parsed.success) {
    throw new StartError(`the plugin catalogue ${file} is wrong: ${firstProblem(parsed.error)}`)
  }
  try {
    return parsed.data.map((entry) => ({ ...entry, comparable_url: placeOf(entry.url, places) }))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw new StartError(`the plugin catalogue ${file} is wrong: ${error.message}`)
  }
}

function placeOf(url: string, { hosts, localRoot }: Places): string {
  return comparableUrl(parseLocation(url, hosts), localRoot)
}

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file)
    if (size > MAX_CATALOGUE_BYTES) throw new Error(`it has more than ${MAX_CATALOGUE_BYTES} bytes`)
    return JSON.parse(await readFile(file, "utf8"))
  } catch (error) {
    const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error))
    throw new StartError(`the plugin catalogue ${file} cannot be read: ${reason}`, { cause: error })
  }
}
