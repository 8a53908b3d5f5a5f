/** Changes of one person. Each behaves as if the event that says so had been captured. */
import { invalid } from "../../lib/errors.ts"
import type { JsonValue } from "../../lib/json.ts"
import { type Endpoint, endpoint } from "../http/endpoint.ts"
import { loggable } from "./activity.ts"
import { changeProperties } from "./property-change.ts"
import { inFormat, personPath as path, showPerson, writingPerson as writing } from "./reading.ts"
import {
  ChangedPerson,
  FormatQuery,
  Person,
  PersonDraft,
  PropertyDraft,
  PropertyQuery,
  UnsetDraft,
  UnsetQuery,
} from "./schema.ts"

function update(method: "PATCH" | "PUT"): Endpoint {
  return endpoint({
    ...writing,
    name: method === "PUT" ? "persons_update" : "persons_update_partial",
    method,
    path,
    summary: "Set properties of a person; those not named stay.",
    query: FormatQuery,
    body: PersonDraft,
    reply: Person,

    async handle({ query, body, loaded: person, ...context }) {
      const after = await changeProperties(context, person, {
        event: "$set",
        properties: { $set: body.properties },
        activity: "updated",
        changes: [
          { type: "Person", action: "changed", field: "properties", before: null, after: null },
        ],
      })
      return inFormat(query.format, await showPerson(context.db, after))
    },
  })
}

const updateProperty = endpoint({
  ...writing,
  name: "persons_update_property",
  method: "POST",
  path: `${path}/update_property`,
  summary: "Set one property of a person. `key` and `value` come in the body or the query.",
  query: PropertyQuery,
  body: PropertyDraft,
  reply: ChangedPerson,

  async handle({ query, body, loaded: person, ...context }) {
    const value: JsonValue | undefined = body.value === undefined ? query.value : body.value
    if (value === undefined) throw required("value")
    const key = keyIn(body.key ?? query.key, "key")
    const before = Object.hasOwn(person.properties, key) ? person.properties[key] : null
    const change = { action: "changed", before: loggable(before), after: loggable(value) }
    const after = await changeProperties(context, person, {
      event: "$set",
      properties: { $set: Object.fromEntries([[key, value]]) },
      activity: "updated",
      changes: [{ type: "Person", field: key, ...change }],
    })
    return inFormat(query.format, {
      ...(await showPerson(context.db, after)),
      success: true as const,
    })
  },
})

const deleteProperty = endpoint({
  ...writing,
  name: "persons_delete_property",
  method: "POST",
  path: `${path}/delete_property`,
  summary:
    "Remove properties of a person. `$unset`, a key or a list of keys, comes in the body or the query.",
  query: UnsetQuery,
  body: UnsetDraft,
  reply: ChangedPerson,

  async handle({ query, body, loaded: person, ...context }) {
    const unset = body.$unset ?? query.$unset
    const keys = (Array.isArray(unset) ? unset : [unset]).map((key) => keyIn(key, "$unset"))
    const removed = keys.filter((key) => Object.hasOwn(person.properties, key))
    const after = await changeProperties(context, person, {
      event: "$delete_person_property",
      properties: { $unset: keys },
      activity: "delete_property",
      changes: removed.map((key) => {
        const before = loggable(person.properties[key])
        return { type: "Person", action: "deleted", field: key, before, after: null }
      }),
    })
    return inFormat(query.format, {
      ...(await showPerson(context.db, after)),
      success: true as const,
    })
  },
})

export const personWriteEndpoints = [update("PATCH"), update("PUT"), updateProperty, deleteProperty]

function keyIn(key: string | null | undefined, attr: string): string {
  if (key === undefined || key === null) throw required(attr)
  if (key === "") throw invalid("This field may not be blank.", attr, "blank")
  return key
}

function required(attr: string) {
  return invalid("This field is required.", attr, "required")
}
