/** Which number a project's kind of group has. New kinds get the next free one, in order of first use. */
import type { GroupType } from "../../groups/store.ts"

const GROUP_TYPES_MAX = 5

export class GroupTypes {
  readonly #projects = new Map<number, Map<string, number>>()
  readonly #created: GroupType[] = []

  /** All that the projects of the batch have. */
  constructor(stored: readonly GroupType[]) {
    for (const { project_id, group_type, group_type_index } of stored) {
      this.#indexes(project_id).set(group_type, group_type_index)
    }
  }

  /** Those that the batch added: to be stored with it. */
  get created(): readonly GroupType[] {
    return this.#created
  }

  /** Undefined once a project has all the kinds it may have. */
  findIndex(projectId: number, groupType: string): number | undefined {
    const indexes = this.#indexes(projectId)
    const known = indexes.get(groupType)
    if (known !== undefined || indexes.size >= GROUP_TYPES_MAX) return known
    const taken = new Set(indexes.values())
    let index = 0
    while (taken.has(index)) index += 1
    indexes.set(groupType, index)
    const one = { project_id: projectId, group_type: groupType, group_type_index: index }
    this.#created.push(one)
    return index
  }

  #indexes(projectId: number): Map<string, number> {
    let indexes = this.#projects.get(projectId)
    if (indexes === undefined) {
      indexes = new Map()
      this.#projects.set(projectId, indexes)
    }
    return indexes
  }
}
