/** Who is in a static cohort that is made of a query: all actors that it answers. */
import { type Desk, getProjectFacts } from "../analysis/desk.ts"
import { actorsQuery } from "../analysis/kinds/actors-query.ts"
import { invalid } from "../lib/errors.ts"
import { isUuid } from "../lib/ids.ts"
import type { JsonObject } from "../lib/json.ts"

const PAGE_ROWS = 10_000
const MEMBERS_MAX = 1_000_000

/** The query's own page and columns are those of whoever looked at it. */
export async function listQueryMembers(
  query: JsonObject,
  { project_id, ...parts }: Omit<Desk, "project"> & { readonly project_id: number },
): Promise<readonly string[]> {
  const desk = { ...parts, project: await getProjectFacts(parts.db, project_id) }
  const uuids: string[] = []
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const asked = { ...query, select: ["id"], limit: PAGE_ROWS, offset }
    const { results, hasMore } = await actorsQuery.answer(asked, desk)
    const ids = (results as readonly (readonly unknown[])[]).map(([id]) => String(id))
    // Groups have keys instead, and are in no cohort.
    uuids.push(...ids.filter(isUuid))
    if (hasMore !== true) return uuids
    if (uuids.length > MEMBERS_MAX) {
      throw invalid(`The query answers more than ${MEMBERS_MAX} persons.`, "query")
    }
  }
}
