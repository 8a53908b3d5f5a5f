/**
 * One event as a line of JSON for loading. A property goes into its column when the value is of the column's
 * type and reads back exactly; all others stay together as JSON text, which DuckDB stores without reading it.
 */
import { exactNumberOf, stringifyExact } from "../../lib/exact-json.ts"
import type { JsonValue } from "../../lib/json.ts"
import type { EventRow } from "../engine.ts"
import { wellFormed } from "../json-text.ts"
import type { PropertyCatalogue, PropertyColumnType } from "./catalogue.ts"

/** The column type that can hold a value, if any. */
export function columnTypeOf(value: JsonValue): PropertyColumnType | undefined {
  switch (typeof value) {
    case "string":
      return exactNumberOf(value) === undefined ? "text" : undefined
    case "number":
      return Number.isFinite(value) ? "number" : undefined
    case "boolean":
      return "boolean"
    default:
      return undefined
  }
}

type ColumnPrefixes = Partial<Record<PropertyColumnType, string>>

export type Shredder = (event: EventRow) => string

/**
 * Prepared once per batch: how each key's column is named in a line. Keys whose columns cannot hold one of their
 * values are added to `strayKeys`; nulls are no values.
 */
export function createShredder(
  catalogue: PropertyCatalogue,
  strayKeys: Set<string> = new Set(),
): Shredder {
  const prefixes = new Map<string, ColumnPrefixes>()
  for (const { key, type, column } of catalogue.list()) {
    prefixes.set(key, { ...prefixes.get(key), [type]: `,"${column}":` })
  }
  return (event) => {
    const { properties } = event
    let line = fixedMembers(event)
    let rest = ""
    for (const key of Object.keys(properties)) {
      const value = properties[key] as JsonValue
      const ofKey = prefixes.get(key)
      const prefix = findPrefix(ofKey, value)
      if (prefix === undefined) {
        if (ofKey !== undefined && value !== null) strayKeys.add(key)
        rest += `${rest === "" ? "{" : ","}${JSON.stringify(key)}:${stringifyExact(value)}`
      } else line += prefix + JSON.stringify(value)
    }
    // Once per line: a look at every string would cost as much as printing it.
    if (rest !== "") line += `,"properties":${JSON.stringify(wellFormed(`${rest}}`))}`
    return wellFormed(`${line}}`)
  }
}

function findPrefix(columns: ColumnPrefixes | undefined, value: JsonValue): string | undefined {
  if (columns === undefined) return undefined
  const type = columnTypeOf(value)
  return type === undefined ? undefined : columns[type]
}

function fixedMembers(event: EventRow): string {
  return (
    `{"project_id":${event.project_id},"uuid":"${event.uuid}","event":${JSON.stringify(event.event)}` +
    `,"timestamp":"${event.timestamp}","distinct_id":${JSON.stringify(event.distinct_id)}` +
    `,"person_id":"${event.person_id}","snapshot_id":${event.snapshot_id}` +
    `,"received_at":"${event.received_at}","elements_chain":${JSON.stringify(event.elements_chain)}`
  )
}
