/**
 * Where the next page begins: behind one event in the order of (timestamp, uuid), so that events of the same
 * moment are neither lost nor shown twice. The moment of the first page goes along: "4d" and the end of the
 * list mean the same on every page.
 */
import { z } from "zod"
import { invalid } from "../../lib/errors.ts"

const Cursor = z.object({
  timestamp: z.iso.datetime(),
  uuid: z.uuid(),
  now: z.iso.datetime().transform((text) => new Date(text)),
})
export type Cursor = z.infer<typeof Cursor>

function printCursor({ timestamp, uuid, now }: Cursor): string {
  return Buffer.from(JSON.stringify([timestamp, uuid, now.toISOString()])).toString("base64url")
}

export function parseCursor(text: string): Cursor {
  const [timestamp, uuid, now] = listIn(text)
  const parsed = Cursor.safeParse({ timestamp, uuid, now })
  if (!parsed.success) {
    throw invalid("This cursor is none of ours; take it from `next` as it is.", "cursor")
  }
  return parsed.data
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** The address of this page becomes that of the next; what was skipped stays skipped once. */
export function nextAddress(address: string, cursor: Cursor): string {
  const url = new URL(address)
  url.searchParams.delete("offset")
  url.searchParams.set("cursor", printCursor(cursor))
  // A key may travel in the query; a link is the last place where it should be kept.
  url.searchParams.delete("personal_api_key")
  return url.href
}
