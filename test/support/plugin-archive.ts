/** Small archives of plugins, made in memory. */
import { gzipSync } from "node:zlib"
import { zipSync } from "fflate"
import { pack } from "tar-stream"

type Files = Readonly<Record<string, string>>

export function zipOf(files: Files): Buffer {
  const bytes = new TextEncoder()
  const entries = Object.entries(files).map(([name, text]) => [name, bytes.encode(text)])
  return Buffer.from(zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>))
}

export async function tgzOf(files: Files): Promise<Buffer> {
  const stream = pack()
  for (const [name, text] of Object.entries(files)) stream.entry({ name }, text)
  stream.finalize()
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}
