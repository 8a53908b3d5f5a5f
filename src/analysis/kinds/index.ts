/** Every kind of question, one line each. */
import { invalid } from "../../lib/errors.ts"
import { actorsQuery } from "./actors-query.ts"
import { databaseSchema } from "./database-schema.ts"
import { eventsQuery } from "./events-query.ts"
import { insightKinds } from "./insight-kinds.ts"
import type { Kind } from "./kind.ts"
import { languageQuery } from "./language-query.ts"
import { metadata } from "./metadata.ts"

const KINDS: readonly Kind[] = [
  languageQuery,
  eventsQuery,
  actorsQuery,
  ...insightKinds,
  databaseSchema,
  metadata,
]

export function getKind(name: unknown): Kind {
  const kind = KINDS.find(({ names }) => names.includes(String(name)))
  if (kind !== undefined) return kind
  const known = KINDS.map(({ names }) => names[0]).join(", ")
  throw invalid(`"${name}" is no kind of query: take one of ${known}.`, "query__kind")
}
