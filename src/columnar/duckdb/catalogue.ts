/** Which properties have columns of their own. Keys are arbitrary text; only this maps them to column names. */
export type PropertyColumnType = "text" | "number" | "boolean"

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
}
