/** Staged lines, read back where a batch meets what is stored already. */
import { createReadStream } from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"
import type { FILES, Manifest } from "./manifest.ts"

export interface Source {
  readonly folder: string
  readonly manifest: Manifest
}

type FileName = (typeof FILES)[keyof typeof FILES]

export function has({ manifest }: Source, file: FileName): boolean {
  return manifest.files.includes(file)
}

export async function* readLines({ folder }: Source, file: FileName): AsyncGenerator<string> {
  const input = createReadStream(path.join(folder, file), "utf8")
  try {
    // Not the line ends that only Unicode knows: they are characters of texts here.
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line !== "") yield line
    }
  } finally {
    input.destroy()
  }
}

export interface LineKey {
  readonly project_id: number
  readonly uuid: string
}

const KEY = /^\{"project_id":(\d+),"uuid":"([0-9a-fA-F-]{36})"/

/** The beginning of a line of an event or a person, without reading the rest. */
export function keyOf(line: string): LineKey {
  const found = KEY.exec(line)
  if (found === null) throw new Error(`a staged line begins with "${line.slice(0, 80)}"`)
  return { project_id: Number(found[1]), uuid: (found[2] ?? "").toLowerCase() }
}

export const keyText = ({ project_id, uuid }: LineKey): string => `${project_id} ${uuid}`

export async function readKeys(source: Source, file: FileName): Promise<readonly LineKey[]> {
  const keys: LineKey[] = []
  for await (const line of readLines(source, file)) keys.push(keyOf(line))
  return keys
}

export async function readRows<T>(source: Source, file: FileName): Promise<readonly T[]> {
  const rows: T[] = []
  for await (const line of readLines(source, file)) rows.push(JSON.parse(line) as T)
  return rows
}
