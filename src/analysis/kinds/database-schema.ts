/** The tables and fields that questions in the query language may name. */

import { typeName } from "../../query/language/compile.ts"
import { LANGUAGE_TABLES } from "../../query/language/tables.ts"
import type { Kind } from "./kind.ts"

export const databaseSchema: Kind = {
  names: ["DatabaseSchemaQuery"],

  async answer() {
    const tables = LANGUAGE_TABLES.map((table) => [
      table.name,
      {
        id: table.name,
        name: table.name,
        type: "hedgerow",
        description: table.meaning,
        fields: Object.fromEntries(
          table.fields.map((field) => [
            field.name,
            {
              name: field.name,
              type: "type" in field ? typeName(field.type) : "link",
              description: field.meaning,
            },
          ]),
        ),
      },
    ])
    return { tables: Object.fromEntries(tables) }
  },
}
