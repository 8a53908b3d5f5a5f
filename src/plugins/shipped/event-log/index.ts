interface LoggedEvent {
  readonly event: string
  readonly distinct_id: string
  readonly timestamp?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
}

interface LogMeta {
  readonly config: { readonly properties?: string }
}

/** One line of JSON, so that the log can be searched by machine as well. */
export function onEvent(event: LoggedEvent, { config }: LogMeta): void {
  const { event: name, distinct_id, timestamp, properties } = event
  const line = { event: name, distinct_id, timestamp }
  console.log(JSON.stringify(config.properties === "write" ? { ...line, properties } : line))
}
