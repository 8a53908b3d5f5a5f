import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { Deletion, DeletionQuery } from "./schema.ts"
import { listDeletions } from "./store.ts"

const list = endpoint({
  name: "deletions_list",
  method: "GET",
  path: "/api/projects/:project_id/deletions",
  tag: "Deletions",
  summary: "List the requests to delete events and how far they are, newest first.",
  access: inProject(),
  scope: "person:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: DeletionQuery,
  reply: envelopeOf(Deletion),

  handle: async ({ db, project, query, page, paginate }) =>
    paginate(await listDeletions(db, { project_id: project.id, ...query }, page)),
})

export const deletionEndpoints = [list]
