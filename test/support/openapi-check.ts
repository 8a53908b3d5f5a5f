/** Holds an answer against the OpenAPI document made from the endpoint definitions. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { ACCEPTED_STATUS } from "../../src/api/http/accepted.ts"
import { openApiDocument } from "../../src/api/http/openapi.ts"
import { endpoints } from "../../src/api/index.ts"

const document = openApiDocument(endpoints, "test")

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: "doc", components: document.components })

const routes = endpoints.map((endpoint) => ({
  endpoint,
  // Static parts win over parameters, as in the router.
  paramCount: endpoint.path.split(":").length,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}/?$`),
}))
const validators = new Map<string, ValidateFunction>()

interface Seen {
  readonly status: number
  readonly text: string
  readonly body: unknown
}

export function checkAgainstDocument(method: string, url: string, answer: Seen): void {
  if (answer.status >= 400) {
    checkSchema("error", "#/components/schemas/Error", answer)
    return
  }
  const path = url.split("?")[0] ?? ""
  const route = routes
    .filter((each) => each.endpoint.method === method && each.pattern.test(path))
    .sort((a, b) => a.paramCount - b.paramCount)[0]
  if (route === undefined) return
  const { endpoint } = route
  const isAccepted = endpoint.accepted !== undefined && answer.status === ACCEPTED_STATUS
  if (answer.status !== endpoint.status && !isAccepted) {
    throw new Error(`${endpoint.name} answered ${answer.status}, documented is ${endpoint.status}`)
  }
  if (endpoint.reply === null) {
    if (answer.text !== "")
      throw new Error(`${endpoint.name} answered a body with ${answer.status}`)
    return
  }
  // Another form of the answer, such as CSV, has no schema.
  if (answer.body === undefined && endpoint.streamTypes !== undefined) return
  const documented = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
  const operation = document.paths[documented]?.[method.toLowerCase()]
  const schema = operation?.responses[String(answer.status)]?.content?.["application/json"]?.schema
  checkSchema(`${endpoint.name} ${answer.status}`, schema ?? {}, answer)
}

function checkSchema(name: string, schema: object | string, answer: Seen): void {
  let validate = validators.get(name)
  if (validate === undefined) {
    const text = JSON.stringify(typeof schema === "string" ? { $ref: schema } : schema)
    validate = ajv.compile(JSON.parse(text.replaceAll('"#/components/', '"doc#/components/')))
    validators.set(name, validate)
  }
  if (validate(answer.body)) return
  const reasons = ajv.errorsText(validate.errors, { separator: "\n  " })
  throw new Error(
    `${name} answered what is not documented:\n  ${reasons}\n${answer.text.slice(0, 2_000)}`,
  )
}
