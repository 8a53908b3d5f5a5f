/** Events whose sender wants no person profile. */
import type { DropReason } from "../drop-reasons.ts"
import { type Draft, type RecordContext, warn } from "./draft.ts"

/** They are about a person or group, and nothing without one. */
const PROFILE_EVENTS = new Set([
  ...["$identify", "$create_alias", "$merge_dangerously", "$groupidentify"],
])

export function heedPersonless(draft: Draft, record: RecordContext): DropReason | undefined {
  const { properties } = draft
  const wanted = properties.$process_person_profile
  if (wanted === undefined || wanted === true) return undefined
  if (wanted !== false) {
    warn(draft, record, { type: "invalid_process_person_profile" })
    return undefined
  }
  if (PROFILE_EVENTS.has(draft.event)) {
    warn(draft, record, { type: "invalid_event_when_process_person_profile_is_false" })
    return "invalid_event_when_process_person_profile_is_false"
  }
  draft.is_personless = true
  if (properties.$set !== undefined) delete properties.$set
  if (properties.$set_once !== undefined) delete properties.$set_once
  if (properties.$unset !== undefined) delete properties.$unset
  return undefined
}
