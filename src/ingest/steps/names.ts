/** What the event is called: its name, its distinct id, its uuid. */
import { findDistinctId } from "../../capture/event-fields.ts"
import { derivedUuid } from "../../lib/ids.ts"
import { isJsonObject, type JsonValue } from "../../lib/json.ts"
import { textOf, toStorable, truncate } from "../../lib/text.ts"
import { distinctIdOf } from "../../persons/distinct-id.ts"
import type { DropReason } from "../drop-reasons.ts"
import type { Draft, RecordContext } from "./draft.ts"

const EVENT_NAME_CHARACTERS_MAX = 200

export function takeNames(draft: Draft, record: RecordContext): DropReason | undefined {
  const { raw } = draft
  if (isJsonObject(raw.properties)) draft.properties = raw.properties as Record<string, JsonValue>
  const distinctId = distinctIdOf(findDistinctId(raw) as JsonValue | undefined)
  if (distinctId === undefined || distinctId === "") return "missing_distinct_id"
  const name = eventName(raw.event, record.isEngage)
  if (name === "") return "missing_event_name"
  draft.distinct_id = distinctId
  draft.event = name
  draft.uuid =
    typeof raw.uuid === "string" && raw.uuid !== ""
      ? raw.uuid.toLowerCase()
      : derivedUuid(record.receivedAt.ms, record.seedHex, draft.index)
  return undefined
}

function eventName(name: JsonValue | undefined, isEngage: boolean): string {
  if (name === undefined || name === null || name === "") return isEngage ? "$identify" : ""
  return truncate(toStorable(textOf(name)), EVENT_NAME_CHARACTERS_MAX)
}
