/** The end of a person's copy: a row without properties that replaces all versions of it. */
import type { Connection } from "./connection.ts"
import { groupByProject, slicesOf, sqlInteger, sqlUuids, UUIDS_PER_STATEMENT } from "./sql-text.ts"
import type { LineKey } from "./staged-lines.ts"

/** How far apart the lives of a person are: within each, versions count from the start. */
const LIFE_VERSIONS = 2 ** 32

export async function removePersonRows(
  connection: Connection,
  persons: readonly LineKey[],
): Promise<void> {
  for (const [project, keys] of groupByProject(persons)) {
    for (const slice of slicesOf(keys, UUIDS_PER_STATEMENT)) {
      await connection.run(
        `INSERT INTO persons (project_id, uuid, row_version, is_deleted)
          SELECT project_id, uuid, (intDiv(max(row_version), ${LIFE_VERSIONS}) + 1) * ${LIFE_VERSIONS}, 1
          FROM persons WHERE project_id = ${sqlInteger(project)}
            AND uuid IN (${sqlUuids(slice.map(({ uuid }) => uuid))})
          GROUP BY project_id, uuid HAVING argMax(is_deleted, row_version) = 0`,
      )
    }
  }
}
