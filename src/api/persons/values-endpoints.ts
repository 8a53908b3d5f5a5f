import { listPropertyValues } from "../../persons/listing.ts"
import { inProject } from "../http/access.ts"
import { endpoint } from "../http/endpoint.ts"
import { envelopeOf, MANAGEMENT_PAGE_SIZE_MAX } from "../http/paging.ts"
import { collection, rowsCsv, streamTypes, tag } from "./reading.ts"
import { PropertyValue, ValuesQuery } from "./schema.ts"

/** Keys of properties that are computed, not stored, and so have no values to choose from. */
const COMPUTED_PREFIX = "$virt"

const values = endpoint({
  name: "persons_values",
  method: "GET",
  path: `${collection}/values`,
  tag,
  summary: "List the most frequent values of a property of persons.",
  access: inProject(),
  scope: "person:read",
  pageSizeMax: MANAGEMENT_PAGE_SIZE_MAX,
  query: ValuesQuery,
  reply: envelopeOf(PropertyValue),
  streamTypes,

  async handle({ services, project, query, now, page, paginate }) {
    const { key = "", value } = query
    const hasValues = key !== "" && !key.startsWith(COMPUTED_PREFIX)
    const filter = { project_id: project.id, now, key, part: value || undefined }
    const limits = { timeoutMs: services.config.query.timeoutMs }
    const all = hasValues
      ? await listPropertyValues({ columnar: services.columnar, limits }, filter)
      : []
    if (query.format === "csv") return rowsCsv(["name", "count"], all)
    const results = all.slice(page.offset, page.offset + page.limit)
    return paginate({ count: all.length, results })
  },
})

export const personValuesEndpoints = [values]
