import type { ColumnarTime } from "../../columnar/engine.ts"
import type { JsonObject } from "../../lib/json.ts"

/** What a batch sets on one group, over the properties it has. */
export interface GroupUpdate {
  readonly project_id: number
  readonly group_type_index: number
  readonly group_key: string
  /** When the group began, if it is new. */
  readonly created_at: ColumnarTime
  readonly properties: JsonObject
}

/** One update for each group, whatever number of events made it. */
export class GroupUpdates {
  readonly #updates = new Map<string, GroupUpdate>()

  add(update: GroupUpdate): void {
    const key = `${update.project_id}:${update.group_type_index}:${update.group_key}`
    const earlier = this.#updates.get(key)
    this.#updates.set(
      key,
      earlier === undefined
        ? update
        : { ...earlier, properties: { ...earlier.properties, ...update.properties } },
    )
  }

  list(): readonly GroupUpdate[] {
    return [...this.#updates.values()]
  }
}
