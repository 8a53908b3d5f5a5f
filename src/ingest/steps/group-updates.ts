import { GROUP_BYTES_MAX, type GroupUpdate } from "../../groups/merge.ts"
import { entryBytes } from "../../persons/json-size.ts"
import { type MutableObject, putOwn } from "../../persons/property-updates.ts"

interface OwnUpdate extends GroupUpdate {
  readonly properties: MutableObject
  /** Of the properties' JSON. */
  bytes: number
}

/** One update for each group, whatever number of events made it. */
export class GroupUpdates {
  readonly #updates = new Map<string, OwnUpdate>()

  /** False when the group's properties would be too large: then nothing of the update is taken. */
  add(update: GroupUpdate): boolean {
    const key = `${update.project_id}:${update.group_type_index}:${update.group_key}`
    const own = this.#updates.get(key) ?? { ...update, properties: {}, bytes: 2 }
    const bytes = own.bytes + growth(own, update)
    if (bytes > GROUP_BYTES_MAX) return false
    own.bytes = bytes
    for (const [name, value] of Object.entries(update.properties)) {
      putOwn(own.properties, name, value)
    }
    this.#updates.set(key, own)
    return true
  }

  list(): readonly GroupUpdate[] {
    return Array.from(this.#updates.values(), ({ bytes: _, ...update }) => update)
  }
}

/** Measured without making the whole: events may set one property each, thousands of times. */
function growth({ properties }: OwnUpdate, update: GroupUpdate): number {
  let bytes = 0
  for (const [name, value] of Object.entries(update.properties)) {
    bytes += entryBytes(name, value)
    const before = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (before !== undefined) bytes -= entryBytes(name, before)
  }
  return bytes
}
