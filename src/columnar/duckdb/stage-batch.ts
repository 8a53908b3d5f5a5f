/** A batch as staged files: events shredded with the catalogue of this moment, the rest row by row. */
import type { ColumnarBatch, EventRow } from "../engine.ts"
import type { LineFacts, StagedFile } from "../staging.ts"
import type { PropertyCatalogue } from "./catalogue.ts"
import { groupLines, keyLines, personLines, snapshotLines } from "./lines.ts"
import { FILES, type Manifest } from "./load.ts"
import { createShredder, type Shredder } from "./shred.ts"
import type { Survey } from "./survey.ts"

/** Besides events, which come with their survey. */
type BatchRows = Partial<Omit<ColumnarBatch, "mark" | "events">>

interface StagedRows {
  readonly files: readonly StagedFile[]
  readonly manifest: (facts: LineFacts) => Manifest
}

export function stageRows(
  rows: BatchRows,
  { events, from, to }: Survey,
  catalogue: PropertyCatalogue,
): StagedRows {
  // Filled while the lines are written; the manifest is made after them.
  const strayKeys = new Set<string>()
  const files = listFiles(rows, events, createShredder(catalogue, strayKeys))
  const manifest = ({ lineCharacters }: LineFacts) => ({
    files: files.map(({ name }) => name),
    columns: catalogue.list().map(({ column, type }) => ({ column, type })),
    strayKeys: [...strayKeys],
    lineCharacters,
    from,
    to,
  })
  return { files, manifest }
}

type NamedFile = StagedFile & { readonly name: Manifest["files"][number] }

function listFiles(
  rows: BatchRows,
  events: readonly EventRow[],
  shred: Shredder,
): readonly NamedFile[] {
  const { persons = [], snapshots = [], groups = [], overrides = [], merged = [] } = rows
  const files: readonly (readonly [NamedFile, number])[] = [
    [{ name: FILES.events, lines: mapLines(events, shred) }, events.length],
    [{ name: FILES.persons, lines: personLines(persons) }, persons.length],
    [{ name: FILES.snapshots, lines: snapshotLines(snapshots) }, snapshots.length],
    [{ name: FILES.groups, lines: groupLines(groups) }, groups.length],
    [{ name: FILES.overrides, lines: keyLines(overrides) }, overrides.length],
    [{ name: FILES.merged, lines: keyLines(merged) }, merged.length],
  ]
  return files.filter(([, count]) => count > 0).map(([file]) => file)
}

function* mapLines(events: readonly EventRow[], shred: Shredder): Iterable<string> {
  for (const event of events) yield shred(event)
}
