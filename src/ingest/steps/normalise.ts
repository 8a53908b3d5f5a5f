/** Brings what clients send in several places into one: the properties. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts"
import { unsetKeys } from "../../persons/property-updates.ts"
import type { DropReason } from "../drop-reasons.ts"
import type { Draft, RecordContext } from "./draft.ts"
import { isWellFormed, toWellFormed } from "./well-formed.ts"

export function normalise(draft: Draft, record: RecordContext): DropReason | undefined {
  foldUpdates(draft.raw, draft.properties)
  if (!isWellFormed(draft.properties)) {
    draft.properties = toWellFormed(draft.properties) as Record<string, JsonValue>
  }
  const { properties } = draft
  if (record.project.anonymize_ips) {
    if (properties.$ip !== undefined) delete properties.$ip
  } else if (properties.$ip === undefined && record.ip !== null) properties.$ip = record.ip
  if (record.sentAtText !== undefined) properties.$sent_at = record.sentAtText
  return undefined
}

/** Updates beside the properties win over those inside. */
function foldUpdates(raw: JsonObject, properties: Record<string, JsonValue>): void {
  if (raw.$set !== undefined) fold(properties, "$set", raw.$set)
  if (raw.$set_once !== undefined) fold(properties, "$set_once", raw.$set_once)
  if (raw.$unset === undefined) return
  const inside = properties.$unset
  if (inside === undefined) properties.$unset = raw.$unset
  else properties.$unset = [...new Set([...unsetKeys(inside), ...unsetKeys(raw.$unset)])]
}

function fold(
  properties: Record<string, JsonValue>,
  key: "$set" | "$set_once",
  updates: JsonValue,
): void {
  if (!isJsonObject(updates)) return
  const inside = properties[key]
  properties[key] = isJsonObject(inside) ? { ...inside, ...updates } : updates
}
