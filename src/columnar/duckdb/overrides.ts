/** Overrides of merged persons: written without chains, and squashed into the events they concern. */
import type { DuckDBConnection } from "@duckdb/node-api"
import { withOverrides } from "../override-chains.ts"
import { OVERRIDE_MEMBERS } from "./lines.ts"
import { FILES, fileSql, type Source } from "./load.ts"
import { readTexts } from "./read-texts.ts"

interface Triple {
  readonly project: string
  readonly old: string
  readonly person: string
}

/** Loads staged overrides; only stored ones that touch the same persons are read. */
export async function loadOverrides(connection: DuckDBConnection, source: Source): Promise<void> {
  const staged = fileSql(source, FILES.overrides, OVERRIDE_MEMBERS)
  const incoming = await readTriples(connection, `SELECT * FROM ${staged}`)
  const stored = await readTriples(
    connection,
    `WITH ids AS (SELECT project_id, old_person_id AS id FROM ${staged}
        UNION SELECT project_id, person_id FROM ${staged})
      SELECT DISTINCT o.* FROM overrides AS o JOIN ids ON ids.project_id = o.project_id
        AND (ids.id = o.old_person_id OR ids.id = o.person_id)`,
  )
  for (const project of new Set(incoming.map((row) => row.project))) {
    const ofProject = (row: Triple) => row.project === project
    const before = new Map(stored.filter(ofProject).map(({ old, person }) => [old, person]))
    const changes = incoming.filter(ofProject).map(({ old, person }) => ({ from: old, to: person }))
    await writeChanged(connection, { project, before, after: withOverrides(before, changes) })
  }
}

async function readTriples(connection: DuckDBConnection, sql: string): Promise<readonly Triple[]> {
  const rows = await readTexts(connection, sql)
  return rows.map(([project = "", old = "", person = ""]) => ({ project, old, person }))
}

interface Difference {
  readonly project: string
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

async function writeChanged(
  connection: DuckDBConnection,
  { project, before, after }: Difference,
): Promise<void> {
  const gone = [...before].filter(([old, person]) => after.get(old) !== person).map(([old]) => old)
  const added = [...after]
    .filter(([old, person]) => before.get(old) !== person)
    .map(([old, person]) => ({ old, person }))
  await connection.run(
    `DELETE FROM overrides WHERE project_id = CAST($1 AS INTEGER)
      AND old_person_id IN (SELECT unnest(from_json($2, '["UUID"]')))`,
    [project, JSON.stringify(gone)],
  )
  await connection.run(
    `INSERT INTO overrides SELECT CAST($1 AS INTEGER), s.old, s.person
      FROM (SELECT unnest(from_json($2, '[{"old":"UUID","person":"UUID"}]')) AS s)`,
    [project, JSON.stringify(added)],
  )
}
