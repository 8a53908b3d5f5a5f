/** What is done by the clock, one line each. */
import type { Schedule } from "./scheduler.ts"

export function schedulesOf(settings: { readonly deletionSchedule: string }): readonly Schedule[] {
  return [
    { task: "delete-events", cron: settings.deletionSchedule },
    { task: "squash-overrides", cron: "17 * * * *" },
    { task: "promote-properties", cron: "*/10 * * * *" },
    { task: "refresh-cohorts", cron: "*/15 * * * *" },
  ]
}
