import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { IngestionWarning, IngestionWarningQuery } from "./schema.ts"
import { listWarnings } from "./store.ts"

const list = endpoint({
  name: "ingestion_warnings_list",
  method: "GET",
  path: "/api/projects/:project_id/ingestion_warnings",
  tag: "Ingestion warnings",
  summary: "List what could not be done with the project's events, newest first.",
  access: inProject(),
  scope: "project:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: IngestionWarningQuery,
  reply: envelopeOf(IngestionWarning),

  handle: async ({ db, project, query, page, paginate }) =>
    paginate(await listWarnings(db, { project_id: project.id, type: query.type }, page)),
})

export const ingestionWarningEndpoints = [list]
