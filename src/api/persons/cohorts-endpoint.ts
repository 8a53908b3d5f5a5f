/** Persons of cohorts, and cohorts of persons. */
import { z } from "zod"
import { notFound } from "../../lib/errors.ts"
import { conditionOf, listPersons, streamPersons } from "../../persons/listing.ts"
import type { Person as StoredPerson } from "../../persons/person.ts"
import { findNameKeys, findPerson } from "../../persons/store.ts"
import { and, eq, uuid } from "../../query/build.ts"
import {
  isPersonIn,
  memberCohort,
  memberPerson,
  membersWithPersons,
} from "../../query/filters/cohort-conditions.ts"
import type { Db } from "../../relational/db.ts"
import { Cohort } from "../cohorts/schema.ts"
import { findCohort, listCohortsOf } from "../cohorts/store.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import type { Services } from "../http/services.ts"
import { personConditionOf } from "./property-filters.ts"
import { collection, personsCsv, showPerson, streamTypes, tag } from "./reading.ts"
import { parsePersonName, shownPerson } from "./rules.ts"
import { Person, PersonQuery } from "./schema.ts"

/** As large as in the list of all persons. */
const PERSON_PAGE_SIZE_MAX = 10_000
const ID_MAX = 2_147_483_647

const PersonCohorts = Person.extend(envelopeOf(Cohort).shape).meta({ id: "PersonCohorts" })
const PersonCohortsQuery = z.object({ person_id: z.string().min(1) })

const cohortsOfPerson = endpoint({
  name: "persons_cohorts",
  method: "GET",
  path: `${collection}/cohorts`,
  tag,
  summary: "A person (`person_id`: number or UUID) with the cohorts that it is in, newest first.",
  access: inProject(),
  scope: ["person:read", "cohort:read"],
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: PersonCohortsQuery,
  reply: PersonCohorts,

  async handle({ db, services, project, query, page, paginate }) {
    const person = await findPerson(db, project.id, parsePersonName(query.person_id))
    if (person === undefined) throw notFound()
    const dynamic_ids = await listDynamicIds(services, person)
    const member = { project_id: project.id, person_id: person.id, dynamic_ids }
    const cohorts = paginate(await listCohortsOf(db, member, page))
    return { ...(await showPerson(db, person)), ...cohorts }
  },
})

const personsOfCohort = endpoint({
  name: "cohorts_persons",
  method: "GET",
  path: "/api/projects/:project_id/cohorts/:id/persons",
  tag: "Cohorts",
  summary: "List the persons of a cohort, newest first. As CSV, all of them.",
  access: inProject(),
  scope: ["cohort:read", "person:read"],
  pageSizeMax: PERSON_PAGE_SIZE_MAX,
  query: PersonQuery,
  reply: envelopeOf(Person),
  streamTypes,

  async load({ db, project, params: { id } }) {
    const isId = /^\d{1,10}$/.test(id) && Number(id) <= ID_MAX
    const name = { project_id: project.id, id: Number(id) }
    const cohort = isId ? await findCohort(db, name) : undefined
    if (cohort === undefined) throw notFound()
    return cohort
  },

  async handle({ db, services, project, query, now, page, paginate, loaded: { id } }) {
    const { columnar, config } = services
    const stores = { db, columnar, limits: { timeoutMs: config.query.timeoutMs } }
    const nameKeys = await findNameKeys(db, project.id)
    const where = await conditionIn({ db, now, project_id: project.id, cohort_id: id }, query)
    if (where === undefined) return paginate({ count: 0, results: [] })
    const matching = { project_id: project.id, where }
    if (query.format === "csv")
      return personsCsv(shownPages(streamPersons(stores, matching), nameKeys))
    const { count, results } = await listPersons(stores, matching, page)
    return paginate({ count, results: results.map((person) => shownPerson(person, nameKeys)) })
  },
})

export const personCohortEndpoints = [cohortsOfPerson, personsOfCohort]

interface CohortPlace {
  readonly db: Db
  readonly now: Date
  readonly project_id: number
  readonly cohort_id: number
}

/** Undefined when nobody can be meant. An empty filter filters nothing. */
async function conditionIn({ db, now, project_id, cohort_id }: CohortPlace, query: PersonQuery) {
  const isMember = isPersonIn({ project_id, cohort_id })
  const condition = await personConditionOf(db, query.properties, { project_id, now })
  return conditionOf(db, {
    ...{ project_id, now },
    distinct_id: query.distinct_id || undefined,
    email: query.email || undefined,
    search: query.search || undefined,
    condition: condition === undefined ? isMember : and(isMember, condition),
  })
}

/** Cohorts that were worked out with the person in them. */
async function listDynamicIds({ columnar, config }: Services, person: StoredPerson) {
  const rows = await columnar.rows(
    {
      columns: [{ as: "cohort_id", expr: memberCohort }],
      distinct: true,
      ...membersWithPersons(person.project_id),
      where: eq(memberPerson, uuid(person.uuid)),
    },
    { timeoutMs: config.query.timeoutMs },
  )
  return rows.map(({ cohort_id }) => Number(cohort_id))
}

async function* shownPages(
  pages: AsyncIterable<readonly StoredPerson[]>,
  nameKeys: readonly string[] | null,
): AsyncGenerator<readonly Person[]> {
  for await (const persons of pages) yield persons.map((person) => shownPerson(person, nameKeys))
}
