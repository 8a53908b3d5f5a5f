/** What a batch sets on a group, over what the group has. */
import type { ColumnarTime, GroupRow } from "../columnar/engine.ts"
import { stringifyExact } from "../lib/exact-json.ts"
import type { JsonObject } from "../lib/json.ts"

export interface GroupUpdate {
  readonly project_id: number
  readonly group_type_index: number
  readonly group_key: string
  /** When the group began, if it is new. */
  readonly created_at: ColumnarTime
  readonly properties: JsonObject
}

export interface GroupWarning {
  readonly project_id: number
  readonly type: string
  readonly details: JsonObject
}

/** As JSON. */
export const GROUP_BYTES_MAX = 512 * 1024
export const GROUP_TOO_LARGE = "group_properties_size_violation"

/** The group as it is to be written, or why it stays as it is. What is too large already may still shrink. */
export function mergeGroup(
  stored: GroupRow | undefined,
  update: GroupUpdate,
): { readonly row: GroupRow } | { readonly warning: GroupWarning } {
  const properties = { ...stored?.properties, ...update.properties }
  const bytes = bytesOf(properties)
  if (bytes > GROUP_BYTES_MAX && bytes >= bytesOf(stored?.properties ?? {})) {
    const { project_id, group_type_index, group_key } = update
    const details = { group_type_index, group_key }
    return { warning: { project_id, type: GROUP_TOO_LARGE, details } }
  }
  const created_at = stored?.created_at ?? update.created_at
  return { row: { ...update, created_at, version: (stored?.version ?? 0) + 1, properties } }
}

function bytesOf(properties: JsonObject): number {
  return Buffer.byteLength(stringifyExact(properties))
}
