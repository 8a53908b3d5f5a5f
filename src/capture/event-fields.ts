/** Where an event keeps what everyone asks for. Capture checks these, ingest reads them: one rule for both. */
export interface JsonObject {
  readonly [key: string]: unknown
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** As it came, of any type; the first place that holds something counts. */
export function findDistinctId(event: JsonObject): unknown {
  const own = event.distinct_id ?? event.$distinct_id
  if (own !== undefined && own !== null) return own
  return isObject(event.properties) ? (event.properties.distinct_id ?? undefined) : undefined
}

/** Sent by old SDKs, kept by nobody. */
export function isPerformanceEvent(event: JsonObject): boolean {
  return event.event === "$performance_event"
}
