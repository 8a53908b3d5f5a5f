/** Turns an event into the request that delivers it; the platform sends the request. */
interface WebhookEvent {
  readonly event: string
  readonly distinct_id: string
  readonly uuid?: string
  readonly timestamp?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
}

interface WebhookMeta {
  readonly config: { readonly url?: string; readonly token?: string; readonly events?: string }
}

interface Webhook {
  readonly url: string
  readonly method: "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Null for an event that is not wanted, or while no address is given. */
export function composeWebhook(event: WebhookEvent, { config }: WebhookMeta): Webhook | null {
  const wanted = (config.events ?? "").split(",").map((name) => name.trim())
  const isWanted = wanted.join("") === "" || wanted.includes(event.event)
  if (!config.url || !isWanted) return null
  const { event: name, distinct_id, uuid, timestamp, properties } = event
  return {
    url: config.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(config.token ? { authorization: `Bearer ${config.token}` } : {}),
    },
    body: JSON.stringify({ event: name, distinct_id, uuid, timestamp, properties }),
  }
}
