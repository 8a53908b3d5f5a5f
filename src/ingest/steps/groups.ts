/** Groups of an event: `$groups` become `$group_0` to `$group_4`, and `$groupidentify` sets a group's properties. */
import { GROUP_TOO_LARGE } from "../../groups/merge.ts"
import { isJsonObject, type JsonValue } from "../../lib/json.ts"
import { textOf, toStorable, truncate } from "../../lib/text.ts"
import type { DropReason } from "../drop-reasons.ts"
import { type Draft, type RecordContext, warn } from "./draft.ts"

const GROUP_CHARACTERS_MAX = 400

export function assignGroups(draft: Draft, record: RecordContext): DropReason | undefined {
  const { properties } = draft
  const groups = properties.$groups
  if (isJsonObject(groups)) {
    for (const [type, key] of Object.entries(groups)) {
      const name = groupText(key)
      const index = name === "" ? undefined : findIndex(record, type)
      if (index !== undefined) properties[`$group_${index}`] = name
    }
  }
  if (draft.event === "$groupidentify") collectUpdate(draft, record)
  return undefined
}

function collectUpdate(draft: Draft, record: RecordContext): void {
  const { $group_type, $group_key, $group_set } = draft.properties
  const key = groupText($group_key)
  const index = key === "" ? undefined : findIndex(record, $group_type)
  if (index === undefined) return
  const isTaken = record.groupUpdates.add({
    project_id: draft.project_id,
    group_type_index: index,
    group_key: key,
    created_at: draft.timestamp,
    properties: isJsonObject($group_set) ? $group_set : {},
  })
  if (isTaken) return
  const details = { group_type_index: index, group_key: key }
  warn(draft, record, { type: GROUP_TOO_LARGE, details })
}

function findIndex(record: RecordContext, type: JsonValue | undefined): number | undefined {
  const name = groupText(type)
  return name === "" ? undefined : record.groupTypes.findIndex(record.project.id, name)
}

/** Empty for what names nothing. */
function groupText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ""
  return truncate(toStorable(textOf(value)), GROUP_CHARACTERS_MAX)
}
