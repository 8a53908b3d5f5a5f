/** A batch as staged files: events shredded with the catalogue of this moment, the rest row by row. */
import type { ColumnarBatch, EventRow } from "../engine.ts"
import type { LineFacts, StagedFile } from "../staging.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { groupLines, overrideLines, personLines, snapshotLines } from "./lines.ts"
import { FILES, type Manifest } from "./load.ts"
import { createShredder, type Shredder } from "./shred.ts"

export type BatchRows = Partial<Omit<ColumnarBatch, "mark">>

export interface StagedRows {
  /** Each uuid once. */
  readonly events: readonly EventRow[]
  readonly files: readonly StagedFile[]
  readonly manifest: (facts: LineFacts) => Manifest
}

export function stageRows(rows: BatchRows, catalogue: PropertyCatalogue): StagedRows {
  const events = distinctEvents(rows.events ?? [])
  const files = listFiles(rows, events, createShredder(catalogue))
  const manifest = ({ lineCharacters }: LineFacts) => ({
    files: files.map(({ name }) => name),
    columns: catalogue.list().map(({ column, type }) => ({ column, type })),
    lineCharacters,
    ...timeRange(events),
  })
  return { events, files, manifest }
}

/** Of events with the same uuid the first counts. */
function distinctEvents(events: readonly EventRow[]): readonly EventRow[] {
  const seen = new Set<string>()
  return events.filter(({ project_id, uuid }) => {
    const before = seen.size
    return seen.add(`${project_id} ${uuid.toLowerCase()}`).size > before
  })
}

type NamedFile = StagedFile & { readonly name: Manifest["files"][number] }

function listFiles(
  rows: BatchRows,
  events: readonly EventRow[],
  shred: Shredder,
): readonly NamedFile[] {
  const { persons = [], snapshots = [], groups = [], overrides = [], merged = [] } = rows
  const mergedLines = merged.map(({ project_id, uuid }) => JSON.stringify({ project_id, uuid }))
  const files: readonly (readonly [NamedFile, number])[] = [
    [{ name: FILES.events, lines: mapLines(events, shred) }, events.length],
    [{ name: FILES.persons, lines: personLines(persons) }, persons.length],
    [{ name: FILES.snapshots, lines: snapshotLines(snapshots) }, snapshots.length],
    [{ name: FILES.groups, lines: groupLines(groups) }, groups.length],
    [{ name: FILES.overrides, lines: overrideLines(overrides) }, overrides.length],
    [{ name: FILES.merged, lines: mergedLines }, merged.length],
  ]
  return files.filter(([, count]) => count > 0).map(([file]) => file)
}

function* mapLines(events: readonly EventRow[], shred: Shredder): Iterable<string> {
  for (const event of events) yield shred(event)
}

/** Times are written alike, so they compare as text. */
function timeRange(events: readonly EventRow[]): Pick<Manifest, "from" | "to"> {
  let from: string | null = null
  let to: string | null = null
  for (const { timestamp } of events) {
    if (from === null || timestamp < from) from = timestamp
    if (to === null || timestamp > to) to = timestamp
  }
  return { from, to }
}
