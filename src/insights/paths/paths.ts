/** The ways that people take: which step follows which, how often, and after how long. */
import { ask, type Insight } from "../insight.ts"
import { findActors, PathsSelection } from "./actors.ts"
import { selectEdges, showEdges } from "./edges.ts"
import { parseLookup } from "./lookup.ts"
import { PathsQuery, readPaths } from "./question.ts"

export const paths: Insight<PathsQuery, PathsSelection> = {
  kind: "PathsQuery",
  schema: PathsQuery,
  *plan(asked, context) {
    const filter = asked.pathsFilter ?? {}
    const rows = yield* ask(selectEdges(yield* readPaths(asked, context), filter))
    return { results: showEdges(rows, filter).map((edge) => ({ ...edge })) }
  },
  selection: PathsSelection,
  actors: findActors,
  parseLookup,
}
