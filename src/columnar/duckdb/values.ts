/** What DuckDB answers, as plain JavaScript. */
import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
  listValue,
} from "@duckdb/node-api"

/**
 * UUIDs, dates and times as text, whole numbers as numbers when they are safe and as text when not, tuples as
 * arrays. JSON has no infinite numbers: they are null.
 */
export function plainValue(value: DuckDBValue): unknown {
  if (value === null) return null
  if (typeof value === "bigint") return plainInteger(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "object") return value
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return isoTime(value.micros)
  }
  if (value instanceof DuckDBListValue) return value.items.map(plainValue)
  if (value instanceof DuckDBDecimalValue) return value.toDouble()
  // Their items are named 1, 2 and so on, which objects keep in order.
  if (value instanceof DuckDBStructValue) return Object.values(value.entries).map(plainValue)
  if (value instanceof DuckDBMapValue) {
    return plainEntries(
      value.entries.map(({ key, value: held }) => [String(plainValue(key)), held]),
    )
  }
  if (value instanceof DuckDBDateValue) return value.toString()
  return value.toString()
}

function plainEntries(entries: readonly (readonly [string, DuckDBValue])[]): unknown {
  return Object.fromEntries(entries.map(([key, value]) => [key, plainValue(value)]))
}

function plainInteger(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

const MICROS_PER_SECOND = 1_000_000n

/** Six digits of fraction, or none when it is zero. */
function isoTime(micros: bigint): string {
  const fraction = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND
  const seconds = (micros - fraction) / MICROS_PER_SECOND
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, -".000Z".length)
  return fraction === 0n ? `${text}Z` : `${text}.${String(fraction).padStart(6, "0")}Z`
}

/** A bound value; lists are of texts or numbers. */
export function boundValue(value: unknown): DuckDBValue {
  if (Array.isArray(value)) return listValue(value.map(boundValue))
  if (value === null || ["string", "number", "boolean", "bigint"].includes(typeof value)) {
    return value as DuckDBValue
  }
  throw new Error(`a value of type ${typeof value} cannot be bound`)
}
