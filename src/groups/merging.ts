/**
 * The groups that a batch updates, as they are to be written. A small request may name thousands of groups of half a
 * megabyte each, so that what is read has a bound, and comes in pages.
 */
import type { GroupRow } from "../columnar/engine.ts"
import { BatchTooLarge } from "../lib/batch-too-large.ts"
import { slicesWithin } from "../lib/slices.ts"
import type { Db } from "../relational/db.ts"
import { type GroupUpdate, type GroupWarning, mergeGroup } from "./merge.ts"
import { type GroupKey, listGroups, measureGroups } from "./store.ts"

interface MergedGroups {
  readonly rows: readonly GroupRow[]
  readonly warnings: readonly GroupWarning[]
}

/** Of the JSON of the groups that one batch reads. */
const READ_BYTES_MAX = 128 * 1024 * 1024
const PAGE_BYTES_MAX = 4 * 1024 * 1024
/** What a group takes besides its properties, more or less. */
const GROUP_BYTES = 1_000
const KEYS_PER_PAGE = 1_000

interface MergeBounds {
  /** Groups beyond the bound stay as they are, with a warning; without it they are `BatchTooLarge`. */
  readonly isPartAllowed: boolean
  readonly maxBytes?: number
}

export async function mergeGroups(
  db: Db,
  updates: readonly GroupUpdate[],
  { isPartAllowed, maxBytes = READ_BYTES_MAX }: MergeBounds,
): Promise<MergedGroups> {
  const rows: GroupRow[] = []
  const warnings: GroupWarning[] = []
  const readable: Measured[] = []
  let bytes = 0
  for (const one of await measured(db, updates)) {
    bytes += one.bytes
    if (bytes <= maxBytes) readable.push(one)
    else if (isPartAllowed) warnings.push(unreadWarning(one.update))
    else throw new BatchTooLarge(`the groups of a batch have more than ${maxBytes} bytes`)
  }
  for (const page of slicesWithin(readable, PAGE_BYTES_MAX, (one) => one.bytes + GROUP_BYTES)) {
    const updatesOfPage = page.map(({ update }) => update)
    const stored = new Map((await listGroups(db, updatesOfPage)).map((row) => [keyOf(row), row]))
    for (const update of updatesOfPage) {
      const merged = mergeGroup(stored.get(keyOf(update)), update)
      if ("row" in merged) rows.push(merged.row)
      else warnings.push(merged.warning)
    }
  }
  return { rows, warnings }
}

interface Measured {
  readonly update: GroupUpdate
  /** Of what is stored. */
  readonly bytes: number
}

/** Smallest first: few are left out where there is no room for all. */
async function measured(db: Db, updates: readonly GroupUpdate[]): Promise<Measured[]> {
  const bytes = new Map<string, number>()
  for (const page of slicesWithin(updates, KEYS_PER_PAGE, () => 1)) {
    for (const group of await measureGroups(db, page)) {
      bytes.set(keyOf(group), group.properties_bytes)
    }
  }
  return updates
    .map((update) => ({ update, bytes: bytes.get(keyOf(update)) ?? 0 }))
    .sort((left, right) => left.bytes - right.bytes)
}

function unreadWarning({ project_id, group_type_index, group_key }: GroupUpdate): GroupWarning {
  const details = { group_type_index, group_key }
  return { project_id, type: "request_names_too_many_large_groups", details }
}

function keyOf({ project_id, group_type_index, group_key }: GroupKey): string {
  return `${project_id}:${group_type_index}:${group_key}`
}
