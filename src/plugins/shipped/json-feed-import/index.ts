/** What plugins find around them: the capture function of the public plugin interface. */
declare const posthog: { capture(event: string, properties: Record<string, unknown>): unknown }

interface FeedMeta {
  readonly config: { readonly url?: string; readonly event?: string; readonly id?: string }
  readonly storage: {
    get(key: string, fallback: unknown): Promise<unknown>
    set(key: string, value: unknown): Promise<unknown>
  }
}

/** Enough to remember a feed that shows its latest thousand items, with room to spare. */
const MAX_REMEMBERED_IDS = 2_000

export async function runEveryHour({ config, storage }: FeedMeta): Promise<void> {
  if (!config.url) return
  const response = await fetch(config.url)
  if (!response.ok) throw new Error(`the feed answered ${response.status}`)
  const remembered = asList(await storage.get("ids", []))
  const known = new Set(remembered.map(String))
  for (const item of itemsOf(await response.json())) {
    const id = String(item[config.id || "id"])
    if (known.has(id)) continue
    known.add(id)
    posthog.capture(config.event || "feed item", item)
  }
  await storage.set("ids", [...known].slice(-MAX_REMEMBERED_IDS))
}

export function itemsOf(feed: unknown): Record<string, unknown>[] {
  const list = isObject(feed) ? feed.items : feed
  return asList(list).filter(isObject)
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
