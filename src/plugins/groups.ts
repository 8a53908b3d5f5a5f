/** The three views of one list of plugins: each shows what was created through it and what can do its work. */
import type { Capabilities } from "./capabilities.ts"

export const pluginGroups = [
  "pipeline_destinations",
  "pipeline_frontend_apps",
  "pipeline_import_apps",
] as const
export type PluginGroup = (typeof pluginGroups)[number]

/** What a plugin created through a group can do until its source says otherwise. */
export function defaultCapabilities(group: PluginGroup): Partial<Capabilities> {
  switch (group) {
    case "pipeline_destinations":
      return { methods: ["onEvent"], jobs: [], scheduled_tasks: [] }
    case "pipeline_frontend_apps":
      return {}
    case "pipeline_import_apps":
      return { methods: [], jobs: [], scheduled_tasks: ["runEveryHour"] }
  }
}
