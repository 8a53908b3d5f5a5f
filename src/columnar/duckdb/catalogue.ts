/** Which properties have columns of their own. Keys are arbitrary text; only this maps them to column names. */
export const PROPERTY_COLUMN_TYPES = ["text", "number", "boolean"] as const
export type PropertyColumnType = (typeof PROPERTY_COLUMN_TYPES)[number]

export interface PropertyColumn {
  readonly key: string
  readonly type: PropertyColumnType
  /** Physical and safe to print, such as `p_12`. */
  readonly column: string
}

export interface PropertyCatalogue {
  /** All columns of one key, at most one per type. */
  find(key: string): readonly PropertyColumn[]
  list(): readonly PropertyColumn[]
  /** Whether every value of the key, but for nulls, is in its columns, so that the rest need not be read. */
  isComplete(key: string): boolean
}

/** Empty columns cost time on every load. */
export const PROPERTY_COLUMNS_MAX = 100

export interface StoredColumn extends PropertyColumn {
  readonly number: number
  /** Whether rows older than the column have their values in it. */
  readonly isFilled: boolean
}

/** A catalogue is a value: a new column makes a new one. */
export class StoredCatalogue implements PropertyCatalogue {
  readonly #columns: readonly StoredColumn[]
  readonly #byKey: ReadonlyMap<string, readonly StoredColumn[]>
  readonly #strayKeys: ReadonlySet<string>

  /** `strayKeys`: those with values that no column of theirs can hold. */
  constructor(columns: readonly StoredColumn[], strayKeys: ReadonlySet<string> = new Set()) {
    this.#columns = columns
    this.#strayKeys = strayKeys
    const byKey = new Map<string, StoredColumn[]>()
    for (const column of columns) byKey.set(column.key, [...(byKey.get(column.key) ?? []), column])
    this.#byKey = byKey
  }

  find(key: string): readonly StoredColumn[] {
    return this.#byKey.get(key) ?? []
  }

  list(): readonly StoredColumn[] {
    return this.#columns
  }

  isComplete(key: string): boolean {
    const columns = this.find(key)
    const isFilled = columns.length > 0 && columns.every((column) => column.isFilled)
    return isFilled && !this.#strayKeys.has(key)
  }

  isStray(key: string): boolean {
    return this.#strayKeys.has(key)
  }

  isFull(): boolean {
    return this.#columns.length >= PROPERTY_COLUMNS_MAX
  }
}

/** What a column is called; nothing else is put into a statement as one. */
export const COLUMN_NAME = /^p_\d+$/

export const COLUMN_TYPES = {
  text: "VARCHAR",
  number: "DOUBLE",
  boolean: "BOOLEAN",
} as const satisfies Record<PropertyColumnType, string>
