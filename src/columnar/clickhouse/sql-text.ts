/** Text that goes into statements of our own; queries of callers bind their values instead. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function sqlUuid(uuid: string): string {
  if (!UUID.test(uuid)) throw new Error(`"${uuid}" is no UUID`)
  return `'${uuid}'`
}

export function sqlUuids(uuids: Iterable<string>): string {
  return Array.from(uuids, sqlUuid).join(", ")
}

export function sqlInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
  return String(value)
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\0", "\\0")}'`
}

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/

export function sqlTime(time: string): string {
  if (!TIME.test(time)) throw new Error(`"${time}" is no time`)
  return `toDateTime64('${time}', 6, 'UTC')`
}

/** Uuids of one statement: three lists of them stay below the 256 KiB that a server parses. */
export const UUIDS_PER_STATEMENT = 2_000

export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let index = 0; index < items.length; index += size) yield items.slice(index, index + size)
}

/** Rows by project: sorting keys begin with it. */
export function groupByProject<T extends { readonly project_id: number }>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.project_id)
    if (group === undefined) groups.set(row.project_id, [row])
    else group.push(row)
  }
  return groups
}
