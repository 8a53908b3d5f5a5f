/** Jobs that wait or are at work, kept by what they are about: the queue's own tables are its own business. */
import { readFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import type { Db } from "../relational/db.ts"
import { type FileEntry, writeEntry } from "./files.ts"

const FILE = "jobs.ndjson"
/** More would mean that nobody works on them. */
const JOBS_MAX = 100_000

const KeptJob = z.object({ name: z.string(), data: z.record(z.string(), z.unknown()) })

/** A run that somebody waits for ends with the instance that runs it. */
export async function writeJobs(db: Db, folder: string): Promise<FileEntry> {
  const rows = await db<{ name: string; data: object | null }[]>`
    select name, data from jobs.job
    where state in ('created', 'retry', 'active') and not coalesce(data ? 'run_id', false)
    order by created_on, id limit ${JOBS_MAX}`
  const lines = rows.map(({ name, data }) => `${JSON.stringify({ name, data: data ?? {} })}\n`)
  return writeEntry(folder, FILE, [Buffer.from(lines.join(""))])
}

export type KeptJob = z.infer<typeof KeptJob>

export async function readJobs(folder: string): Promise<readonly KeptJob[]> {
  const lines = (await readFile(path.join(folder, FILE), "utf8")).split("\n").filter(Boolean)
  return lines.map((line) => KeptJob.parse(JSON.parse(line)))
}
