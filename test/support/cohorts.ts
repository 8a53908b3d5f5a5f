/** A project with words to make cohorts in it and to read them. */
import type { TestApp } from "./app.ts"
import { addPerson } from "./persons.ts"

export async function addCohortProject(app: TestApp) {
  const { project, owner } = await app.addOrganization()
  const url = `/api/projects/${project.id}/cohorts`
  const call = (method: string, path: string, body: unknown) =>
    app.call(method, `${url}${path}`, { key: owner.key, body })
  return {
    ...{ projectId: project.id, owner, url, key: owner.key },
    get: (path = "") => app.get(`${url}${path}`, owner.key),
    post: (body: unknown, path = "") => call("POST", path, body),
    patch: (id: number, body: unknown) => call("PATCH", `/${id}`, body),
    person: (name: string, properties: Record<string, string | number> = {}) =>
      addPerson(app, project.id, { distinct_ids: [name], properties }),
  }
}

export type CohortProject = Awaited<ReturnType<typeof addCohortProject>>

/** A condition on a person's property. */
export const is = (key: string, value: unknown) => ({ type: "person", key, value })

/** All of the conditions. */
export const filtersOf = (...values: unknown[]) => ({
  properties: { type: "OR", values: [{ type: "AND", values }] },
})

/** The first distinct ids of the members. */
export async function membersOf({ get }: CohortProject, id: number): Promise<string[]> {
  const { status, body, text } = await get(`/${id}/persons`)
  if (status !== 200 || body.count !== body.results.length) throw new Error(text)
  return body.results
    .map(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids[0])
    .toSorted()
}

/** Answers its id. */
export async function makeCohort({ post }: CohortProject, draft: object): Promise<number> {
  const { status, body, text } = await post({ name: "one", ...draft })
  if (status !== 201) throw new Error(text)
  return body.id
}
