/** Rows that tests of queries are made of, with what they do not care about left out. */
import type { JsonObject, JsonValue } from "../../src/lib/json.ts"
import type { Select } from "../../src/query/tree.ts"

export interface SmallEvent {
  readonly uuid: string
  readonly project_id?: number
  readonly person_id?: string
  readonly elements_chain?: string
  readonly properties?: JsonObject
}

export interface SmallRows {
  readonly events?: readonly SmallEvent[]
  readonly persons?: readonly { readonly uuid: string; readonly properties: JsonObject }[]
  readonly groups?: readonly {
    readonly index: number
    readonly key: string
    readonly properties: JsonObject
  }[]
  readonly overrides?: readonly { readonly old_person_id: string; readonly person_id: string }[]
}

/** Which values of events get columns: none, all that can, or only numbers and booleans. */
export type Layout = "json" | "columns" | "mixed"

export const LAYOUTS: readonly Layout[] = ["json", "columns", "mixed"]
export const PROJECT_ID = 1

export const uuidOf = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`

export interface SmallStore extends AsyncDisposable {
  rows(query: Select): Promise<readonly Readonly<Record<string, JsonValue>>[]>
}
