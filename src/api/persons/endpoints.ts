import {
  conditionOf,
  isListed,
  listPersons,
  type PersonFilter,
  streamPersons,
} from "../../persons/listing.ts"
import type { Person as StoredPerson } from "../../persons/person.ts"
import { findNameKeys, findPerson } from "../../persons/store.ts"
import { and } from "../../query/build.ts"
import { isPersonIn } from "../../query/filters/cohort-conditions.ts"
import type { Expr } from "../../query/tree.ts"
import type { Db } from "../../relational/db.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, type Listing, type Page } from "../http/paging.ts"
import type { Services } from "../http/services.ts"
import { personActivityEndpoints } from "./activity-endpoints.ts"
import { personConditionOf } from "./property-filters.ts"
import {
  collection,
  inFormat,
  loadPerson,
  personPath,
  personsCsv,
  showPerson,
  streamTypes,
  tag,
} from "./reading.ts"
import { personRemovalEndpoints } from "./removal-endpoints.ts"
import { shownPerson } from "./rules.ts"
import { FormatQuery, Person, PersonQuery } from "./schema.ts"
import { personSplitEndpoints } from "./split-endpoint.ts"
import { personValuesEndpoints } from "./values-endpoints.ts"
import { personWriteEndpoints } from "./write-endpoints.ts"

/** Connectors read all persons: a page may be large. */
const PERSON_PAGE_SIZE_MAX = 10_000

const list = endpoint({
  name: "persons_list",
  method: "GET",
  path: collection,
  tag,
  summary: "List persons, newest first. As CSV, all of them.",
  access: inProject(),
  scope: "person:read",
  pageSizeMax: PERSON_PAGE_SIZE_MAX,
  query: PersonQuery,
  reply: envelopeOf(Person),
  streamTypes,

  async handle({ db, services, project, query, now, page, paginate }) {
    const asked: Asked = { db, services, project_id: project.id, query, now }
    const nameKeys = await findNameKeys(db, project.id)
    if (query.format === "csv") return personsCsv(shownPages(streamAsked(asked), nameKeys))
    const { count, results } = await listAsked(asked, page)
    return paginate({ count, results: results.map((person) => shownPerson(person, nameKeys)) })
  },
})

const retrieve = endpoint({
  name: "persons_retrieve",
  method: "GET",
  path: personPath,
  tag,
  summary: "Get one person by its number or its UUID.",
  access: inProject(),
  scope: "person:read",
  query: FormatQuery,
  reply: Person,
  streamTypes,
  load: loadPerson,

  handle: async ({ db, query, loaded: person }) =>
    inFormat(query.format, await showPerson(db, person)),
})

export const personEndpoints = [
  list,
  retrieve,
  ...personWriteEndpoints,
  ...personSplitEndpoints,
  ...personRemovalEndpoints,
  ...personActivityEndpoints,
  ...personValuesEndpoints,
]

interface Asked {
  readonly db: Db
  readonly services: Services
  readonly project_id: number
  readonly query: PersonQuery
  readonly now: Date
}

/** An empty filter filters nothing. */
async function filterOf({ db, project_id, query, now }: Asked): Promise<PersonFilter> {
  return {
    project_id,
    now,
    distinct_id: query.distinct_id || undefined,
    email: query.email || undefined,
    search: query.search || undefined,
    condition: await conditionIn(db, query, { project_id, now }),
  }
}

async function conditionIn(
  db: Db,
  { properties, cohort }: PersonQuery,
  place: { readonly project_id: number; readonly now: Date },
): Promise<Expr | undefined> {
  const condition = await personConditionOf(db, properties, place)
  const isMember = cohort && isPersonIn({ ...place, cohort_id: Number(cohort) })
  if (!isMember) return condition
  return condition === undefined ? isMember : and(isMember, condition)
}

async function listAsked(asked: Asked, page: Page): Promise<Listing<StoredPerson>> {
  const { db, project_id, now } = asked
  const filter = await filterOf(asked)
  const { distinct_id, email, search, condition } = filter
  const isLookup = distinct_id !== undefined && (email ?? search ?? condition) === undefined
  if (isLookup) {
    const person = await findPerson(db, project_id, { distinct_id })
    const found = person !== undefined && isListed(person, now) ? [person] : []
    return { count: found.length, results: found.slice(page.offset, page.offset + page.limit) }
  }
  const where = await conditionOf(db, filter)
  if (where === undefined) return { count: 0, results: [] }
  return listPersons(storesOf(asked), { project_id, where }, page)
}

async function* streamAsked(asked: Asked): AsyncGenerator<readonly StoredPerson[]> {
  const where = await conditionOf(asked.db, await filterOf(asked))
  if (where === undefined) return
  yield* streamPersons(storesOf(asked), { project_id: asked.project_id, where })
}

function storesOf({ db, services }: Asked) {
  const { columnar, config } = services
  return { db, columnar, limits: { timeoutMs: config.query.timeoutMs } }
}

async function* shownPages(
  pages: AsyncIterable<readonly StoredPerson[]>,
  nameKeys: readonly string[] | null,
): AsyncGenerator<readonly Person[]> {
  for await (const persons of pages) yield persons.map((person) => shownPerson(person, nameKeys))
}
