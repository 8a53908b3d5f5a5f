/** What all person endpoints share: finding the person of the path, showing it, and CSV where JSON is not wanted. */
import { CSV_TYPE, csvChunks } from "../../lib/csv.ts"
import { notFound } from "../../lib/errors.ts"
import type { Person as StoredPerson } from "../../persons/person.ts"
import { findNameKeys, findPerson, findPersonToWrite } from "../../persons/store.ts"
import type { Db } from "../../relational/db.ts"
import { inProject } from "../http/access.ts"
import type { Services } from "../http/services.ts"
import { StreamedReply } from "../http/streamed.ts"
import { parsePersonName, shownPerson } from "./rules.ts"
import type { Person } from "./schema.ts"

export const tag = "Persons"
export const collection = "/api/projects/:project_id/persons"
export const personPath = `${collection}/:id` as const
export const streamTypes = ["text/csv"] as const

interface Place {
  readonly db: Db
  readonly project: { readonly id: number }
  readonly params: { readonly id: string }
}

export async function loadPerson({ db, project, params }: Place): Promise<StoredPerson> {
  const person = await findPerson(db, project.id, parsePersonName(params.id))
  if (person === undefined) throw notFound()
  return person
}

/** Locked until the end of the transaction. */
async function loadPersonToWrite({ db, project, params }: Place): Promise<StoredPerson> {
  const person = await findPersonToWrite(db, project.id, parsePersonName(params.id))
  if (person === undefined) throw notFound()
  return person
}

export async function showPerson(db: Db, person: StoredPerson): Promise<Person> {
  return shownPerson(person, await findNameKeys(db, person.project_id))
}

/** What a write endpoint answered is in the next read of every endpoint. */
function flushChanges({ columnarChanges }: Services): Promise<void> {
  return columnarChanges.flush()
}

/** What all writes have in common. */
export const writing = {
  tag,
  access: inProject(),
  scope: "person:write",
  after: flushChanges,
} as const

export const writingPerson = {
  ...writing,
  isExact: true,
  streamTypes,
  load: loadPersonToWrite,
} as const

const PERSON_COLUMNS = [
  ...["id", "uuid", "name", "distinct_ids", "created_at", "is_identified", "properties"],
] as const satisfies readonly (keyof Person)[]

export function personsCsv(pages: AsyncIterable<readonly Person[]>): StreamedReply {
  return new StreamedReply(CSV_TYPE, csvChunks(PERSON_COLUMNS, pages))
}

/** The same answer as a row. */
export function inFormat<T extends Person>(
  format: "csv" | "json" | undefined,
  person: T,
): T | StreamedReply {
  return format === "csv" ? personsCsv(onePage([person])) : person
}

/** Rows that are there already, with the columns of the first. */
export function rowsCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, unknown>>[],
): StreamedReply {
  return new StreamedReply(CSV_TYPE, csvChunks(columns, onePage(rows)))
}

async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
