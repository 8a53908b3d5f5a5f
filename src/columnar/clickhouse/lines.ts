/** Rows as lines of JSON, in the shape of their tables. Keys come first, where `load.ts` reads them. */
import { exactNumberOf } from "../../lib/exact-json.ts"
import type { JsonObject, JsonValue } from "../../lib/json.ts"
import type {
  ColumnarBatch,
  EventRow,
  GroupRow,
  OverrideRow,
  PersonRow,
  SnapshotRow,
} from "../engine.ts"
import { jsonText } from "../json-text.ts"
import type { LineFacts, StagedFile } from "../staging.ts"
import { FILES, type Manifest } from "./manifest.ts"

type Rows = Partial<Omit<ColumnarBatch, "mark">>

export interface StagedRows {
  readonly files: readonly (StagedFile & { readonly name: Manifest["files"][number] })[]
  readonly manifest: (facts: LineFacts) => Manifest
}

export function stageRows(rows: Rows): StagedRows {
  const { events = [], snapshots = [], groups = [], overrides = [], merged = [] } = rows
  const gone = new Set(merged.map(({ project_id, uuid }) => `${project_id} ${uuid}`))
  const persons = (rows.persons ?? []).filter(
    ({ project_id, uuid }) => !gone.has(`${project_id} ${uuid}`),
  )
  const all = [
    { name: FILES.events, count: events.length, lines: eventLines(events) },
    { name: FILES.persons, count: persons.length, lines: personLines(persons) },
    { name: FILES.snapshots, count: snapshots.length, lines: snapshots.map(snapshotLine) },
    { name: FILES.groups, count: groups.length, lines: groups.map(groupLine) },
    { name: FILES.overrides, count: overrides.length, lines: overrides.map(keyLine) },
    { name: FILES.merged, count: merged.length, lines: merged.map(keyLine) },
  ]
  const files = all.filter(({ count }) => count > 0)
  return { files, manifest: () => ({ files: files.map(({ name }) => name) }) }
}

/** Of events with the same uuid the first. */
function* eventLines(events: readonly EventRow[]): Iterable<string> {
  const seen = new Set<string>()
  for (const event of events) {
    const uuid = event.uuid.toLowerCase()
    const before = seen.size
    if (seen.add(`${event.project_id} ${uuid}`).size === before) continue
    const { project_id, uuid: _, properties, ...rest } = event
    yield line({ project_id, uuid, ...rest }, properties)
  }
}

/** Of equal versions the last one. */
function* personLines(persons: readonly PersonRow[]): Iterable<string> {
  for (const { project_id, uuid, properties, ...rest } of persons) {
    const email = typeof properties.email === "string" ? properties.email : null
    const keys = { project_id, uuid, row_version: rest.version }
    yield line({ ...keys, ...rest, email }, properties)
  }
}

function snapshotLine({ properties, ...row }: SnapshotRow): string {
  return line(row, properties)
}

function groupLine({ properties, ...row }: GroupRow): string {
  return line(row, properties)
}

function keyLine(row: OverrideRow | ColumnarBatch["merged"][number]): string {
  return JSON.stringify(row)
}

function line(row: object, properties: JsonObject): string {
  return `${jsonText(row).slice(0, -1)},"properties":${propertiesLine(properties)}}`
}

function propertiesLine(properties: JsonObject): string {
  const members = Object.entries(properties).map(
    ([key, value]) => `${quoted(key)}:${quoted(storedText(value))}`,
  )
  return `{${members.join(",")}}`
}

const quoted = (text: string): string => JSON.stringify(text.toWellFormed())

/** What a value is stored as; see `PROPERTIES` in the schema. */
function storedText(value: JsonValue): string {
  if (typeof value !== "string") return withoutPlus(jsonText(value))
  return exactNumberOf(value) ?? `"${value}`
}

const STRING_OR_PLUS = /"(?:[^"\\]|\\.)*"|e\+/g

/** Filters look for 1e21, which JavaScript writes as 1e+21. */
function withoutPlus(json: string): string {
  if (!json.includes("e+")) return json
  return json.replace(STRING_OR_PLUS, (found) => (found === "e+" ? "e" : found))
}
