/** Why an event that capture took is not stored. The caller counts them. */
export const DROP_REASONS = [
  /** Deleted between capture and ingestion. */
  "unknown_project",
  /** Capture refuses these two: one here means that the log holds what it should not. */
  "missing_distinct_id",
  "missing_event_name",
  /** An event about a person or group whose sender wants no person profile. */
  "invalid_event_when_process_person_profile_is_false",
] as const

export type DropReason = (typeof DROP_REASONS)[number]
